import { expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

it('revisit changes gives what changed as the inbox has it, and marks it seen', async () => {
  const page = (fee: string) => ({
    body: `<title>Terms</title><p>The fee is ${fee} a year.</p><p>The end</p>`,
  })
  const site = await crawledSite({ '/terms': page('10 euro'), '/other': page('1 euro') })
  const { base, revisit } = site
  await revisit(['watch', `${base}/terms`, '--tag', 'legal', 'yearly', '--no-noise-check'])
  await revisit(['watch', `${base}/other`, '--group', 'shops', '--no-noise-check'])
  expect((await revisit(['changes'])).out).toBe('no changes\n0 changes not seen yet\n')
  await revisit(['run', '--once', '--quiet'])
  site.pages['/terms'] = page('12 \u001b[2J euro')
  await site.makeDue()
  await revisit(['run', '--once', '--quiet'])

  const host = new URL(base).host
  const { out, err, code } = await revisit(['changes', '--group', 'yearly', '--mark'])
  expect({ err, code }).toEqual({ err: '', code: 0 })
  expect(out.replace(/^\* .*? {2}/, '* (when)  ').split('\n')).toEqual([
    `* (when)  ${host}: Terms`,
    `    ${base}/terms`,
    '  - The fee is 10 euro a year.',
    '  + The fee is 12 \\u001b[2J euro a year.',
    '',
    '1 change not seen yet',
    '',
  ])
  expect((await revisit(['changes', '--unseen'])).out).toMatch(/^no changes/)
  const records = JSON.parse((await revisit(['changes', '--search', 'fee 12', '--json'])).out)
  expect(records).toMatchObject([{ seen: true, page: { tags: ['legal', 'yearly'] } }])
  expect((await revisit(['changes', `${base}/other`])).out).toMatch(/^no changes/)
  expect((await revisit(['list', '--group', 'legal'])).out).toMatch(/\/terms/)
  expect((await revisit(['show', `${base}/terms`])).out).toMatch(/tags +legal, yearly/)
})
