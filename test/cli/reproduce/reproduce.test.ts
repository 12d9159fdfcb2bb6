import { describe, expect, it } from 'vitest'
import type { PaperLibrary } from '../../../src/cli/environment.js'
import type { ClaimVerdict, Finding, Published } from '../../../src/lab/report/paper.js'
import { runHere } from '../../fixtures/small-environment.js'

const published: Published = {
  title: 'On <Change>',
  authors: 'A. Author',
  year: 1999,
  claims: [
    { id: 'first', where: 'Table 1', says: 'x is 2', published: '2', recorded: 'holds' },
    {
      id: 'real',
      where: 'section 2',
      says: 'real pages do too',
      published: '',
      recorded: 'holds in part',
      needsHistories: true,
    },
  ],
}

function library(found: (histories: boolean) => Record<string, ClaimVerdict>): PaperLibrary {
  return {
    papers: ['one', 'two'].map((name) => ({ name, published })),
    run: async ({ names, histories }) => {
      const findings: Finding[] = Object.entries(found(histories !== null)).map(
        ([claim, verdict]) => ({ claim, verdict, ours: '2.01', why: 'near enough' }),
      )
      const figures = [{ file: 'figure-1.svg', title: 'F', caption: 'C', svg: '<svg></svg>' }]
      const tables = [{ title: 'T', columns: ['a', 'b'], rows: [['x', 1]] }]
      return new Map(names.map((name) => [name, { findings, figures, tables }]))
    },
  }
}

const good = library((histories) =>
  histories ? { first: 'holds', real: 'holds in part' } : { first: 'holds' },
)
const histories = {
  'traces/updates.csv.gz': 'object_id,unix_seconds\na,10\na,20\n',
  'traces/objects.csv': 'object_id,first,observed_until\na,10,40\n',
}

describe('revisit reproduce', () => {
  it('shows each claim and a closing count', async () => {
    const { code, out } = await runHere(['reproduce', 'one'], { papers: good, files: histories })
    expect(code).toBe(0)
    expect(out).toContain('first (Table 1): x is 2')
    expect(out).toMatch(/published {2}2\n +ours {7}2\.01\n +verdict {4}holds, as recorded/)
    expect(out).toMatch(/\n2 claims: 1 hold, 1 hold in part, 0 do not hold; all as recorded\.\n$/)
  })

  it('leaves out what needs absent histories, and says so', async () => {
    const { code, out } = await runHere(['reproduce', 'one'], { papers: good })
    expect(code).toBe(0)
    expect(out).toContain('left out: real pages do too')
    expect(out).toMatch(/histories are absent: 1 claim and/)
  })

  it('fails where a verdict is not the recorded one', async () => {
    const papers = library(() => ({ first: 'does not hold' }))
    const { code, out } = await runHere(['reproduce'], { papers })
    expect(code).toBe(4)
    expect(out).toContain('does not hold, RECORDED: holds')
    expect(out).toContain('2 not as recorded: one/first, two/first.')
  })

  it.each([
    [{ second: 'holds' }, /no claim "second"/],
    [{}, /found nothing on "first"/],
  ] as const)('refuses findings that do not fit the claims: %j', async (found, message) => {
    const { code, err } = await runHere(['reproduce'], { papers: library(() => found) })
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('lists what exists for an unknown name', async () => {
    const { code, err } = await runHere(['reproduce', 'three'], { papers: good })
    expect(code).toBe(2)
    expect(err).toContain('there is no paper "three"; there are: one, two')
  })

  it('writes JSON, the report and the figures', async () => {
    const files: Record<string, string> = { ...histories }
    const args = ['reproduce', '--json', '--html', 'r.html', '--out', 'svg', '--seed', '7']
    const { out } = await runHere(args, { papers: good, files })
    const { papers, seed, histories: count } = JSON.parse(out)
    expect([seed, count, papers.length]).toEqual([7, 1, 2])
    expect(papers[0].claims[0]).toMatchObject({ id: 'first', verdict: 'holds', asRecorded: true })
    expect(files['svg/two/figure-1.svg']).toBe('<svg></svg>')
    const html = files['r.html']!
    expect(html).toContain('On &lt;Change&gt;')
    expect(html.match(/href="#one-first"/g)).toHaveLength(1)
    expect(html).toContain('id="one-first"')
  })

  it.each([
    [['--seed', '-1'], /--seed takes/],
    [['--threads', '0'], /--threads takes/],
    [['--objects', 'o.csv'], /--histories/],
    [['--histories', 'none.csv'], /cannot read none\.csv/],
  ])('answers %j with one line', async (args, message) => {
    const { code, err, out } = await runHere(['reproduce', ...args], { papers: good })
    expect(code).toBeGreaterThan(1)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })
})
