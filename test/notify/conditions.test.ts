import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VersionDiffs } from '../../src/content/bounded/version-diffs.js'
import { presence } from '../../src/content/fingerprint.js'
import { textChange } from '../../src/content/text-diff.js'
import { type Conditions, checkedSettings } from '../../src/notify/channel.js'
import type { Notice } from '../../src/notify/notice.js'
import { fitsPattern, noticeOf } from '../../src/notify/visit-notice.js'
import { collection, start, WatchedPages } from './watched-pages.js'

const url = 'https://a.example/terms'
const day = 86_400
const diffs = new VersionDiffs()

/** What a channel with these conditions is told of all visits. */
async function reported(pages: WatchedPages, when: Conditions): Promise<Notice[]> {
  const visits = await pages.store.visitLog({ collection, limit: 1000 })
  const { store } = pages
  const notices = await Promise.all(
    visits.map((visit) => noticeOf(visit, { store, diffs, collection, when })),
  )
  return notices.filter((each) => each !== null)
}

async function termsPage(): Promise<WatchedPages> {
  const pages = new WatchedPages()
  await pages.add({ url, group: 'law' })
  await pages.visit(url, { at: start, outcome: 'first', text: 'Price: ten euros. All fine.' })
  await pages.visit(url, {
    at: start + day,
    outcome: 'changed',
    text: 'Price: ten euros. Fees  Apply.',
    title: 'Terms of use',
  })
  return pages
}

describe('conditions of a channel', () => {
  it('tell of a change with its share, its lines and the title', async () => {
    const [notice, ...others] = await reported(await termsPage(), {})
    expect(others).toEqual([])
    expect(notice).toEqual({
      type: 'changed',
      collection,
      page: { id: '1', url, group: 'law', title: 'Terms of use' },
      visit: { number: 2, at: start + day, outcome: 'changed', status: 200 },
      previous: start,
      // By hand, in letters: All, fine, Fees and Apply are 16 of 27 + 29.
      changedShare: expect.closeTo(16 / 56, 2),
      diff: '- Price: ten euros. All fine.\n+ Price: ten euros. Fees Apply.\n',
      removed: 'Price: ten euros. All fine.',
      added: 'Price: ten euros. Fees Apply.',
      note: null,
      appeared: [],
      disappeared: [],
      unchangedFor: null,
    })
  })

  it('tell of no list, which is followed for the pages that it names', async () => {
    const pages = await termsPage()
    const page = await pages.store.getPage({ collection, url })
    await pages.store.changePage(page!, { settings: { role: 'list' } })
    expect(await reported(pages, {})).toEqual([])
  })

  it('tell of a list that is gone or silent, as of any page', async () => {
    const pages = await termsPage()
    const page = await pages.store.getPage({ collection, url })
    await pages.store.changePage(page!, { settings: { role: 'list' } })
    const week = start + 8 * day
    await pages.visit(url, { at: week, outcome: 'unchanged', gap: 7 * day })
    await pages.visit(url, { at: week + day, outcome: 'gone' })
    const types = (await reported(pages, { silentFor: 5 * day })).map(({ type }) => type)
    expect(types).toEqual(['silent', 'gone'])
  })

  it('hold for words that appear or disappear, whatever their letters and spaces', async () => {
    const pages = await termsPage()
    const [appeared] = await reported(pages, { appear: ['fees apply', 'price'] })
    expect(appeared?.appeared).toEqual(['fees apply'])
    const [gone] = await reported(pages, { disappear: ['ALL FINE'] })
    expect(gone?.disappeared).toEqual(['ALL FINE'])
    expect(await reported(pages, { appear: ['price'] })).toEqual([])
    expect(await reported(pages, { disappear: ['fees apply'] })).toEqual([])
    expect(await reported(pages, { appear: ['no'], disappear: ['all fine'] })).toHaveLength(1)
  })

  it('hold for a share of the text', async () => {
    const pages = await termsPage()
    expect(await reported(pages, { changedShare: 0.28 })).toHaveLength(1)
    expect(await reported(pages, { changedShare: 0.29 })).toEqual([])
  })

  it('hold for group, host and address', async () => {
    const pages = await termsPage()
    for (const when of [
      { group: 'law' },
      { host: 'A.example' },
      { url: 'https://*.example/t*' },
      { group: 'law', host: 'a.example', url },
    ])
      expect(await reported(pages, when)).toHaveLength(1)
    for (const when of [{ group: 'x' }, { host: 'example' }, { url: 'https://a.example/' }])
      expect(await reported(pages, when)).toEqual([])
  })

  it('tell once that a page is gone, again only after it was seen', async () => {
    const pages = await termsPage()
    const outcomes = ['gone', 'failed', 'gone', 'unchanged', 'gone'] as const
    for (const [i, outcome] of outcomes.entries())
      await pages.visit(url, { at: start + (i + 2) * day, outcome })
    const gone = await reported(pages, { on: ['gone'] })
    expect(gone.map(({ type, visit }) => [type, (visit.at - start) / day])).toEqual([
      ['gone', 2],
      ['gone', 6],
    ])
    expect(await reported(pages, { on: ['changed'] })).toHaveLength(1)
  })

  it('tell once that a page has not changed for too long', async () => {
    const pages = await termsPage()
    for (let i = 2; i < 12; i++)
      await pages.visit(url, { at: start + i * day, outcome: 'unchanged', gap: day })
    const silent = await reported(pages, { silentFor: 4.5 * day, on: ['silent'] })
    // The change was on day 1, so day 6 is the first visit after 4.5 days of silence.
    expect(silent.map(({ visit, unchangedFor }) => [visit.at, unchangedFor])).toEqual([
      [start + 6 * day, 5 * day],
    ])
    expect((await reported(pages, { silentFor: 4.5 * day })).map(({ type }) => type)).toEqual([
      'changed',
      'silent',
    ])
  })

  it('that cannot be judged hold nothing back', async () => {
    const pages = new WatchedPages()
    await pages.add(url)
    await pages.visit(url, { at: start, outcome: 'first' })
    await pages.visit(url, { at: start + day, outcome: 'changed' })
    const [notice] = await reported(pages, { changedShare: 0.9, appear: ['never'] })
    expect(notice).toMatchObject({ changedShare: null, diff: null, appeared: [] })
    expect(notice?.note).toMatch(/not kept/)
  })
})

describe('an address pattern', () => {
  it('is the address, with stars for any text', () => {
    expect(fitsPattern('https://a/b', 'https://a/b')).toBe(true)
    expect(fitsPattern('https://a/b', '*')).toBe(true)
    expect(fitsPattern('https://a/b/c/d', 'https://*/c*')).toBe(true)
    expect(fitsPattern('https://a/b', 'https://a/b*b')).toBe(false)
    expect(fitsPattern('aXbXc', 'a*X*c')).toBe(true)
    expect(fitsPattern('ac', 'a*b*c')).toBe(false)
  })

  it('agrees with a regular expression, and takes no longer for hostile ones', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 })
    const plain = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
    fc.assert(
      fc.property(plain, letters, (text, pattern) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
        expect(fitsPattern(text, pattern)).toBe(expression.test(text))
      }),
      { seed: 9, numRuns: 500 },
    )
    expect(fitsPattern('a'.repeat(8000), `${'*a'.repeat(4000)}b`)).toBe(false)
  })
})

describe('a comparison of texts', () => {
  it('is bounded in length, and shows controls rather than sends them', () => {
    const long = Array.from({ length: 1000 }, (_, i) => `line ${i} ${'x'.repeat(500)}`).join('\n')
    const change = textChange('', long)!
    expect(change.share).toBe(1)
    expect(change.diff.length).toBeLessThan(4100)
    expect(change.diff.endsWith('...\n')).toBe(true)
    expect(textChange('a', 'a\u0000\u202e\u001b[31m')?.diff).not.toMatch(/\p{Cc}(?<!\n)/u)
    expect(textChange('', 'x'.repeat(1_000_001))).toBe(null)
    expect(textChange('same', 'same')).toMatchObject({ share: 0, diff: '' })
  })

  it('finds words by their letters, in any script', () => {
    expect(presence('FINE 新价格表', ['ﬁne', '价格', 'ne 价'])).toBe('110')
  })
})

describe('the settings of a channel', () => {
  const hook = (to: string, more = {}) =>
    checkedSettings({ target: { kind: 'webhook', url: to, ...more } })

  it('get a secret of their own', () => {
    const [a, b] = [hook('https://a.example/'), hook('https://a.example/')]
    expect((a.target as { secret: string }).secret).toMatch(/^[-\w]{43}$/)
    expect(a).not.toEqual(b)
  })

  it.each([
    'ftp://a.example/',
    'javascript:alert(1)',
    'http://127.0.0.1/',
    'http://[::1]:80/',
    'http://2130706433/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest',
    'https://user:pass@a.example/',
    'nothing',
  ])('refuse %s', (to) => {
    expect(() => hook(to)).toThrow(/web address|private or reserved|password/)
  })

  it('take a private address that is allowed', () => {
    const given = { target: { kind: 'webhook', url: 'http://127.0.0.1:9/#x' } } as const
    const { target } = checkedSettings(given, { allowedNetworks: ['127.0.0.0/8'] })
    expect(target).toMatchObject({ url: 'http://127.0.0.1:9/' })
  })

  it('refuse what is no condition, address or topic', () => {
    const mail = (to: string) => checkedSettings({ target: { kind: 'email', to: [to] } })
    for (const to of ['a', 'A <a@b.example>', 'a@b.example\r\nBcc: c@d.example', 'a@b, c@d'])
      expect(() => mail(to)).toThrow(/E-mail addresses/)
    expect(mail('a@b.example').target).toEqual({ kind: 'email', to: ['a@b.example'] })
    const when = (given: Conditions) => () =>
      checkedSettings({ target: { kind: 'email', to: ['a@b.example'] }, when: given })
    expect(when({ on: ['silent'] })).toThrow(/silentFor/)
    expect(when({ changedShare: 2 })).toThrow(/share/)
    expect(when({ appear: [' '] })).toThrow(/words/)
    expect(when({ silentFor: -1 })).toThrow(/time/)
    const topic = (to: string) => () => checkedSettings({ target: { kind: 'ntfy', url: to } })
    expect(topic('https://ntfy.sh/')).toThrow(/topic/)
    expect(topic('https://ntfy.sh/a b')).toThrow(/topic/)
    expect(topic('https://ntfy.sh/a-b_9')).not.toThrow()
    expect(() => hook('https://a.example/', { secret: 'short' })).toThrow(/16/)
  })
})
