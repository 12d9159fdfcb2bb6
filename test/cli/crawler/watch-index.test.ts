import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

describe('a bad line of a list in an index', () => {
  const wrong = 'does not begin with https:// or http://; write the whole address'

  it('is told with the list that it stands in', async () => {
    const { base, folder, pages, revisit } = await crawledSite()
    const text = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } })
    const index = ['/one.txt', '/two.txt'].map(
      (path) => `<sitemap><loc>${base}${path}</loc></sitemap>`,
    )
    pages['/index.xml'] = { body: `<sitemapindex>${index.join('')}</sitemapindex>` }
    pages['/one.txt'] = text(`${base}/1\n`)
    pages['/two.txt'] = text(`${base}/2\nno address\n`)
    const line = `${base}/two.txt, line 2: "no address" ${wrong}`
    const fetched = await revisit(['watch', `${base}/index.xml`, '--json'])
    expect(fetched.err.trim()).toBe(line)
    expect(JSON.parse(fetched.out)).toMatchObject({ added: 2, refused: 1 })
    const file = join(folder, 'index.xml')
    writeFileSync(file, pages['/index.xml']!.body as string)
    expect((await revisit(['watch', file, `${base}/3`])).err.trim()).toBe(line)
    // The list itself needs no name where it is all that was asked for.
    const alone = await revisit(['watch', `${base}/two.txt`])
    expect(alone.err.trim()).toBe(`line 2: "no address" ${wrong}`)
  })
})

describe('a file of CSV', () => {
  it('is read by its column of addresses', async () => {
    const { base, folder, revisit } = await crawledSite()
    const file = join(folder, 'urls.csv')
    writeFileSync(file, `${base}/x,shops\n${base}/y,news\n`)
    expect((await revisit(['watch', file])).out).toMatch(
      /^2 new pages from a list\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    const listed = JSON.parse((await revisit(['list', '--json'])).out) as { url: string }[]
    expect(listed.map(({ url }) => url).sort()).toEqual([`${base}/x`, `${base}/y`])
    writeFileSync(file, 'shop,price\nx,1\n')
    const refused = await revisit(['watch', file])
    expect(refused.err).toContain('is no list of pages')
    expect(refused.code).not.toBe(0)
  })
})
