import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerHints, changeFrequencyTag } from '../../src/hints/answer-hints.js'
import type { Declared } from '../../src/model/hint.js'
import { DAY, YEAR } from '../../src/model/units.js'
import { tagContent } from '../../src/publish/tag.js'

const still: Declared = { kind: 'static' }
const every = (days: number): Declared => ({ kind: 'periodic', period: days * DAY })
const next = (days: number | null): Declared => ({
  kind: 'nonuniform',
  period: days === null ? null : days * DAY,
})

describe('changeFrequencyTag', () => {
  // Hattab, section 3, Example 1, and the ways in which people would write it.
  it.each<[string, Declared | null]>([
    ['STATIC', still],
    ['static', still],
    ['  Static ; recommended=90', still],
    ['STATIC=90', still],
    ['PERIODIC=1', every(1)],
    ['PERIODIC=7', every(7)],
    ['periodic = 7 days', every(7)],
    ['"Periodic: 0.5"', every(0.5)],
    ['Change is PERIODIC=30, thank you', every(30)],
    ['nonuniform=3', next(3)],
    ['non-uniform = 3', next(3)],
    ['NON UNIFORM=3', next(3)],
    ['Nonuniform=4,2,5,3', next(3)],
    ['nonuniform=4; 2; 5', next(5)],
    ['nonuniform', next(null)],
    ['nonuniform=<% Change_Frequency() %>', next(null)],
    ['nonuniform=0', next(null)],
    ['PERIODIC', null],
    ['PERIODIC=0', null],
    ['PERIODIC=-3', null],
    ['PERIODIC=seven', null],
    ['aperiodic=7', null],
    ['ecstatic', null],
    ['', null],
    ['daily', null],
  ])('reads %j', (content, declared) => {
    expect(changeFrequencyTag(content)).toEqual(declared)
  })

  it('reads what `revisit annotate` writes', () => {
    for (const declared of [still, every(1), every(30), next(3), next(null)])
      expect(changeFrequencyTag(tagContent(declared))).toEqual(declared)
  })

  it('keeps within a minute and a hundred years', () => {
    expect(changeFrequencyTag('PERIODIC=999999999')).toEqual({
      kind: 'periodic',
      period: 100 * YEAR,
    })
    expect(changeFrequencyTag('PERIODIC=0.000001')).toEqual({ kind: 'periodic', period: 60 })
  })

  it('looks at the beginning only, of however much', () => {
    expect(changeFrequencyTag(`${' '.repeat(1e6)}STATIC`)).toBeNull()
    expect(changeFrequencyTag(`PERIODIC=${'1'.repeat(1e6)}`)).toBeDefined()
    expect(changeFrequencyTag(`nonuniform=${'1,'.repeat(5e5)}`)).toMatchObject({
      kind: 'nonuniform',
    })
  })

  it('gives a period that can be reckoned with, or none, for any text', () => {
    const words = fc.constantFrom(
      'static',
      'PERIODIC',
      'nonuniform',
      '=',
      ':',
      ',',
      ' ',
      '1e9',
      '.',
    )
    const text = fc
      .array(fc.oneof(words, fc.string(), fc.double().map(String)))
      .map((a) => a.join(''))
    fc.assert(
      fc.property(text, (content) => {
        const declared = changeFrequencyTag(content)
        if (declared === null || declared.kind === 'static' || declared.period === null) return
        expect(declared.period).toBeGreaterThanOrEqual(60)
        expect(declared.period).toBeLessThanOrEqual(100 * YEAR)
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})

const page = (html: string, headers: Record<string, string> = {}) =>
  answerHints({
    kind: 'content',
    status: 200,
    at: 1.7e9,
    url: 'http://a.example/',
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    bytesReceived: html.length,
    body: new TextEncoder().encode(html),
  })
const declaredIn = (html: string, headers?: Record<string, string>) =>
  page(html, headers).flatMap(({ claim }) => (claim.says === 'declared' ? [claim.declared] : []))

describe('the tag in a page', () => {
  it.each([
    ['as in the paper', '<META NAME="Change-Frequency" CONTENT="PERIODIC=7">'],
    ['in any case, without quotes', '<meta name=CHANGE-FREQUENCY content=periodic=7>'],
    [
      'the other way round, in a body',
      '<body><p>x<meta content="Periodic=7" name="change-frequency"/>',
    ],
    ['with spaces and entities', "<meta name=' Change-Frequency ' content='PERIODIC&#61;7'>"],
    ['with an entity in its name', '<meta name="Change&#45;Frequency" content="PERIODIC=7">'],
    [
      'after broken ones',
      '<meta name="Change-Frequency"><meta name="Change-Frequency" content="PERIODIC=never"><meta name="Change-Frequency" content="PERIODIC=7">',
    ],
    [
      'in unclosed markup',
      '<html><head><title>x</title><div <p><meta name="Change-Frequency" content="PERIODIC=7" '.concat(
        '><b>',
      ),
    ],
    [
      'before another',
      '<meta name="Change-Frequency" content="PERIODIC=7"><meta name="Change-Frequency" content="STATIC">',
    ],
  ])('is read %s', (_, html) => {
    expect(declaredIn(html)).toEqual([every(7)])
  })

  it.each([
    ['in a comment', '<!-- <meta name="Change-Frequency" content="PERIODIC=7"> -->'],
    ['in a script', "<script>\"<meta name='Change-Frequency' content='PERIODIC=7'>\"</script>"],
    ['in a template', '<template><meta name="Change-Frequency" content="PERIODIC=7"></template>'],
    [
      'as text',
      '&lt;meta name="Change-Frequency" content="PERIODIC=7"&gt; Change-Frequency PERIODIC=7',
    ],
    ['of another name', '<meta name="Change-Frequency-2" content="PERIODIC=7">'],
  ])('is not read %s', (_, html) => {
    expect(declaredIn(html)).toEqual([])
  })

  it('is read in UTF-16', () => {
    const html = '<meta name="Change-Frequency" content="STATIC">'
    const body = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(html, 'utf16le')])
    const headers = { 'content-type': 'text/html; charset=utf-16le' }
    const answer = { status: 200, at: 1.7e9, url: 'http://a.example/', headers, bytesReceived: 1 }
    expect(answerHints({ ...answer, kind: 'content', body })).toEqual([
      { kind: 'meta', claim: { says: 'declared', declared: still } },
    ])
  })

  it('does not drown in megabytes or thousands of tags', () => {
    const huge = `<meta name="Change-Frequency" content="${'x'.repeat(1e6)}PERIODIC=7">`
    expect(declaredIn(huge)).toEqual([])
    const many = '<meta name="Change-Frequency" content="junk">'.repeat(20_000)
    expect(declaredIn(many)).toEqual([])
  })
})
