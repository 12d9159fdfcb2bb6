import { expect, it } from 'vitest'
import { readingFacts } from '../../../src/cli/commands/show.js'
import type { PageRecord } from '../../../src/model/page.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

it('reads a page by the rules chosen for it; another choice makes the next visit a first one', async () => {
  const page = (text: string) => ({ body: `<main>${text}</main><p id=ad>${Math.random()}</p>` })
  const site = await crawledSite({ '/a': page('one') })
  const url = `${site.base}/a`
  const outcome = async () => {
    await site.makeDue()
    await site.revisit(['run', '--once', '-q'])
    const { out } = await site.revisit(['show', url, '--json'])
    return JSON.parse(out).lastVisit.outcome as string
  }
  await site.revisit(['watch', url, '--select', 'main', '--ignore-text', '\\d+'])
  expect(await outcome()).toBe('first')
  site.pages['/a'] = page('one 2')
  expect(await outcome()).toBe('unchanged')
  site.pages['/a'] = page('two')
  expect(await outcome()).toBe('changed')
  expect((await site.revisit(['show', url])).out).toMatch(/only +main\n.*without text +\\d\+/)
  await site.revisit(['watch', url, '--compare', 'words-and-links'])
  site.pages['/a'] = page('three')
  expect(await outcome()).toBe('first')
  await site.revisit(['watch', url, '--select', '.gone'])
  expect(await outcome()).toBe('failed')
  await site.revisit(['watch', url, '--read-plainly'])
  expect(await outcome()).toBe('first')
})

it('refuses rules that cannot be used', async () => {
  const site = await crawledSite()
  const watch = (...rule: string[]) => site.revisit(['watch', `${site.base}/a`, ...rule])
  expect((await watch('--select', 'p[')).err).toMatch(/no CSS selector/)
  expect((await watch('--ignore-text', '(a+)+')).err).toMatch(/may never end/)
  expect((await watch('--compare', 'nothing')).err).toMatch(/words-and-links/)
  expect((await watch('--compare', 'near-duplicate', '--bits', 'x')).err).toMatch(/0 to 32/)
})

it('masks noise at the first visit, shows it and takes it back', async () => {
  const site = await crawledSite()
  const url = `${site.base}/a`
  let served = 0
  Object.defineProperty(site.pages, '/a', {
    get: () => ({ body: `<p>News of today</p><p>Request ${'a1b2c3d4e5f6'}${++served} served</p>` }),
  })
  const noiseWait = { env: { REVISIT_NOISE_WAIT: '0.01' } }
  await site.revisit(['watch', url])
  await site.revisit(['run', '--once', '-q'], noiseWait)
  expect(served).toBe(2)
  expect((await site.revisit(['show', url])).out).toMatch(/masked +an id after "Request"/)
  await site.makeDue()
  await site.revisit(['run', '--once', '-q'], noiseWait)
  expect((await site.revisit(['show', url])).out).toMatch(/unchanged/)
  expect((await site.revisit(['unmask', url, '--no-noise-check'])).out).toBe('1 mask taken away\n')
  await site.makeDue()
  await site.revisit(['run', '--once', '-q'], noiseWait)
  expect((await site.revisit(['show', url])).out).toMatch(/last visit .*first/)
})

it('shows a mask between quotes of the page in other quotes', () => {
  const mask = { kind: 'id', before: ['"time":"'], after: [], example: 'a1b2' }
  const page = { settings: {}, noise: { masks: [mask] } } as unknown as PageRecord
  expect(readingFacts(page)).toContainEqual(['masked', `an id after '"time":"': a1b2`])
})

it('says of one failed visit that it failed', async () => {
  const site = await crawledSite({ '/a': { status: 500 } })
  await site.revisit(['watch', `${site.base}/a`])
  await site.revisit(['run', '--once', '-q'])
  const { out } = await site.revisit(['show', `${site.base}/a`])
  expect(out).toContain('; the last one failed or was refused\n')
})
