import { describe, expect, it } from 'vitest'
import { escaped, shown } from '../../../src/formats/printable-text.js'
import { htmlTable } from '../../../src/lab/report/html-document.js'
import { pageSummary } from '../../../src/lab/report/page-summary.js'
import { reportPage } from '../../../src/lab/report/report-page.js'
import type { Estimate, Verdict } from '../../../src/model/estimate.js'
import { expectSound } from './well-formed.js'

const DAY = 86_400
/** 2026-03-01, 12:00 UTC. */
const march = 1_772_366_400

function estimate(parts: Partial<Estimate> = {}, changes = 8, observations = 20): Estimate {
  return {
    method: 'irregular-mle',
    changeRate: 1 / (3.2 * DAY),
    changePeriod: 3.2 * DAY,
    bounds: { low: 1 / (5.5 * DAY), high: 1 / (2.1 * DAY), level: 0.95 },
    evidence: {
      visits: observations + 1,
      observations,
      changes,
      samplingPeriod: observations * DAY,
      unchangedTime: (observations - changes) * DAY,
      contentAges: 0,
    },
    verdict: 'ok',
    ...parts,
  }
}

describe('pageSummary', () => {
  const summary = (verdict: Verdict, parts: Partial<Estimate>, changes: number, of = 20) =>
    pageSummary({ estimate: estimate({ verdict, ...parts }, changes, of), lastChange: null })

  it('is one sentence with the estimate, its bounds, the last change and the visits for nothing', () => {
    expect(pageSummary({ estimate: estimate(), lastChange: march })).toBe(
      'Changes about every 3.2 days (2.1 to 5.5 days); last change seen 2026-03-01; 6 visits in 10 found it unchanged.',
    )
  })

  it('does not pretend where there is no number, or a stand-in', () => {
    expect(summary('no-observation', {}, 0, 0)).toMatch(/^Seen less than twice/)
    const rare = { bounds: { low: 0, high: 1 / (9 * DAY), level: 0.95 } }
    expect(summary('no-change-seen', rare, 0)).toBe(
      'No change seen in 20 days, so it changes less often than every 9 days; 20 visits after the first.',
    )
    const fast = { bounds: { low: 2 / DAY, high: null, level: 0.95 } }
    expect(summary('always-changed', fast, 20)).toBe(
      'A change at every visit, so it changes more often than every 12 hours; 20 visits after the first.',
    )
    expect(summary('no-content-age', { changePeriod: null, bounds: null }, 3)).toMatch(
      /^How often it changes cannot be known;/,
    )
    expect(summary('ok', { changePeriod: 0 }, 19)).toMatch(/^Changes faster than can be seen/)
    expect(summary('short-sampling', {}, 2, 4)).toMatch(/though it was watched for 4 days only/)
    expect(summary('ok', {}, 2, 4)).toMatch(/2 of 4 visits found it unchanged/)
  })
})

const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in a page
  /[\u0000-\u0009\u000b-\u001f\u200b\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert('1')",
  '</title></style></svg>&lt;b&gt;&#x0;',
  'a\u202eb\u0000c\u200bd\u2066e\u001b[31m',
  'lone \ud800 surrogate \uffff',
]

describe('texts from outside', () => {
  it('are shown, never obeyed', () => {
    expect(shown('a\u202eb\u0000c\u200b\ud800\n')).toBe('a\\u202eb\\u0000c\\u200b\\ud800\\u000a')
    expect(escaped(`<a href="x" id='y'>&`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;')
    expect(shown('ümlaut 日本語 😀')).toBe('ümlaut 日本語 😀')
  })

  it.each(hostile)('%j in every place of a page', (text) => {
    const one = {
      url: text,
      estimate: estimate({ method: text }),
      lastChange: march,
      notes: [text],
      timeline: { visits: [{ at: march, outcome: 'first' as const }] },
      sharpening: { method: text, points: [{ visits: 2, changePeriod: DAY, bounds: null }] },
      methods: { rows: [{ method: text, changePeriod: DAY, bounds: null, note: text }] },
      distributions: [
        {
          title: text,
          subtitle: text,
          xTitle: text,
          name: text,
          curve: { x: [DAY, 2 * DAY], cdf: [0.5, 1], shape: 'line' as const },
        },
      ],
      windows: { updates: [{ at: march, gap: DAY }], windows: [], verdict: text },
      tables: [{ caption: text, columns: [{ title: text }], rows: [[text], [null]] }],
    }
    const html = reportPage({
      title: text,
      intro: text,
      pages: [one, one],
      index: [one, one],
      foot: text,
    })
    expectSound(html.replace(/<meta[^>]*>|<!doctype html>/g, ''))
    expect(html).not.toMatch(/<(script|img|a href="(?!#page-))/i)
    expect(html).not.toMatch(unseen)
  })
})

describe('reportPage', () => {
  const entries = Array.from({ length: 30 }, (_, i) => ({
    url: `https://example.org/${i}`,
    estimate: estimate(),
    lastChange: march,
  }))
  const page = reportPage({
    title: 'T',
    intro: 'I',
    pages: entries.slice(0, 3),
    index: entries,
    total: 100,
  })

  it('needs nothing but itself, and may ask for nothing', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|src=/)
    const addresses = page.match(/https?:\/\/[^\s"<]+/g)!
    expect(new Set(addresses.filter((each) => !each.startsWith('https://example.org/')))).toEqual(
      new Set(
        addresses.includes('http://www.w3.org/2000/svg') ? ['http://www.w3.org/2000/svg'] : [],
      ),
    )
  })

  it('has an index that leads to the pages with figures, and says what is left out', () => {
    expect(page.match(/<tr><th scope="row">/g)).toHaveLength(30)
    expect(page.match(/<a href="#page-\d+">/g)).toHaveLength(3)
    expect(page.match(/<section id="page-\d+">/g)).toHaveLength(3)
    expect(page).toContain(
      'Figures are plotted for the first 3 of 100 pages. The list has the first 30 of them.',
    )
  })

  it('has no index for a single page', () => {
    const single = reportPage({
      title: 'T',
      intro: 'I',
      pages: [entries[0]!],
      index: [entries[0]!],
    })
    expect(single).not.toContain('<table')
    expect(single).not.toContain('Figures are plotted')
  })

  it('gives no stand-in number in the index', () => {
    const row = (verdict: Verdict) => {
      const one = { url: 'u', estimate: estimate({ verdict }), lastChange: null }
      return reportPage({ title: 'T', intro: 'I', pages: [], index: [one, one] })
    }
    expect(row('ok')).toContain('<td>every 3.2 days</td><td>2.1 to 5.5 days</td>')
    expect(row('no-change-seen')).toContain('<td>no change seen</td>')
    expect(row('always-changed')).toContain('<td>at every visit</td>')
  })
})

describe('htmlTable', () => {
  it('has a head for each column and row', () => {
    const html = htmlTable({
      caption: 'C',
      columns: [{ title: 'a' }, { title: 'b', align: 'right' }],
      rows: [
        ['<x>', 3],
        ['y', null],
      ],
    })
    expect(html).toBe(
      '<div class="table"><table><caption>C</caption><thead><tr><th scope="col">a</th><th scope="col" class="number">b</th></tr></thead><tbody><tr><th scope="row">&lt;x&gt;</th><td class="number">3</td></tr><tr><th scope="row">y</th><td class="number">–</td></tr></tbody></table></div>',
    )
  })
})
