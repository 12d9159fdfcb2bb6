import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

it('watch takes a pages file, applied again without harm, and a bare name', async () => {
  const { folder, revisit } = await crawledSite()
  const file = join(folder, 'pages.yaml')
  const write = (select: string) =>
    writeFileSync(
      file,
      `pages:\n  - example.org\n  - url: https://example.org/terms\n    tags: [law]\n    select: ${select}\n    colour: red\n`,
    )
  write('main')
  const first = await revisit(['watch', file])
  expect(first.code).toBe(0)
  expect(first.out).toMatch(/^2 new pages from a pages file\n/)
  expect(first.err).toMatch(/not carried over: https:\/\/example.org\/terms: colour is no option/)
  expect((await revisit(['watch', file])).out).toMatch(
    /^0 new pages from a pages file, 2 watched already\n/,
  )
  write('article')
  expect((await revisit(['watch', file])).out).toMatch(/\(1 page with new options\)/)
  const [page] = JSON.parse((await revisit(['list', '--group', 'law', '--json'])).out)
  expect(page.settings).toMatchObject({ noiseCheck: true, reading: { select: ['article'] } })
  expect((await revisit(['watch', 'news.example.org/a'])).out).toMatch(/^1 new page\n/)
  expect((await revisit(['watch', 'no-such-file'])).err).toMatch(/neither a file nor an address/)
})
