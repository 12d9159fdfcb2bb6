import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/numeric/random.js'
import { annotateHtml } from '../../src/publish/annotate-html.js'
import { sharedBrowser } from '../fixtures/browser.js'
import { hostilePages, hostilePieces } from './hostile-pages.js'

let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})
afterAll(() => browser?.close())

/**
 * Pages put together from pieces, whole ones or nearly so. DOMParser runs no
 * scripts and so reads what is in noscript, which a browser at work does not;
 * and it takes no text for XHTML.
 */
function pages(count: number): string[] {
  const random = new Random(5)
  const pieces = hostilePieces.filter((each) => !/noscript|<\?xml/.test(each))
  const made = Array.from({ length: count }, () =>
    Array.from({ length: random.below(14) }, () => pieces[random.below(pieces.length)]!).join(''),
  )
  return [...hostilePages.filter((each) => !each.includes('noscript')), ...made]
}

describe('an annotated page in a real browser', () => {
  it('has one tag, in its head, and is otherwise what it was', async () => {
    const cases = pages(3000).map((before) => {
      const made = annotateHtml(Buffer.from(before, 'latin1'), 'PERIODIC=9', { fragments: true })
      if (made.outcome === 'refused') throw new Error(`${before}: ${made.reason}`)
      return { before, after: Buffer.from(made.bytes).toString('latin1') }
    })
    const page = await browser.newPage()
    const wrong = await page.evaluate((all) => {
      const parser = new DOMParser()
      const read = (text: string) => {
        const document = parser.parseFromString(text, 'text/html')
        const tags = [...document.head.querySelectorAll('meta')].filter(
          (each) => each.name.trim().toLowerCase() === 'change-frequency',
        )
        const contents = tags.map((each) => each.content)
        for (const each of tags) each.remove()
        const comments = document.createNodeIterator(document, NodeFilter.SHOW_COMMENT)
        for (let each = comments.nextNode(); each !== null; each = comments.nextNode())
          (each as Comment).remove()
        document.normalize()
        return { contents: contents.join(), rest: document.documentElement.outerHTML }
      }
      return all.filter(({ before, after }) => {
        const [was, is] = [read(before), read(after)]
        return is.contents !== 'PERIODIC=9' || is.rest !== was.rest
      })
    }, cases)
    expect(wrong).toEqual([])
    await page.close()
  })
})
