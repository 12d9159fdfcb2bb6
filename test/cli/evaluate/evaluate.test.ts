import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { runHere } from '../../fixtures/small-environment.js'

/** Forty pages of four sources, two of them polled, over 200 days. */
function files(): Record<string, string> {
  const random = new Random(4)
  const times = ['object_id,unix_seconds']
  const objects = ['object_id,source,first,observed_until,cadence_s']
  for (let page = 0; page < 40; page++) {
    const first = 1_700_000_000 + 3600 * page
    const until = first + 200 * DAY
    const period = DAY * 2 ** (page % 8)
    const source = page % 4
    objects.push(`p${page},source-${source},${first},${until},${source < 2 ? 43_200 : ''}`)
    times.push(`p${page},${first}`)
    let last = first
    for (let at = first + period * random.exponential(); at < until; ) {
      if (Math.round(at) > last) {
        last = Math.round(at)
        times.push(`p${page},${last}`)
      }
      at += period * random.exponential()
    }
  }
  return { 'updates.csv': times.join('\n'), 'objects.csv': objects.join('\n') }
}

const given = files()
const evaluate = (text: string, more: Record<string, string> = {}) =>
  runHere(['evaluate', ...text.split(' ')], { files: { ...given, ...more } })
const both = '--histories updates.csv --objects objects.csv'

describe('revisit evaluate', () => {
  it('makes a table for each budget, on all pages and on those with exact times', async () => {
    const { code, out, err } = await evaluate(
      `${both} --budget 0.1,1 --policies equal,nutch,lambda-crawl,oracle`,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^All pages: 40 of 4 sources, with \d+ changes\n\n0\.1 visits a page and day\n/,
    )
    expect(out).toMatch(
      /\nPages with exact change times: 20 of 2 sources, with \d+ changes; of the same runs/,
    )
    // All pages, those with exact times, and by source.
    expect(out.match(/\n1 visit a page and day\n/g)).toHaveLength(3)
    expect(out.match(/\nequal +0\.\d{4} +0\.\d{4} +\+0\.0000 +0\.0000 +0\.\d{4} /g)).toHaveLength(4)
    expect(out).toMatch(/\noracle \* [^\n]* -\n/)
    expect(out).toMatch(/\* knows what no crawler can\n$/)
  })

  it('says which budgets hardly visit a page in the time that is recorded', async () => {
    const { code, err } = await evaluate(`${both} --budget 0.01,1 --policies equal`)
    // 200 days of two visits each; five visits take 500 days.
    expect([code, err]).toEqual([
      0,
      'revisit: the histories span 6.6 months at most, too short for 0.01 visits a page and day: a page would be visited fewer than 5 times. Ignore these figures until at least 16 months are recorded\n',
    ])
  })

  it('gives the same figures as JSON, and the same bytes for the same seed', async () => {
    const text = async (seed: number) =>
      (await evaluate(`${both} --budget 0.2 --policies equal,optimal-prior --json --seed ${seed}`))
        .out
    const found = JSON.parse(await text(1))
    expect(found).toMatchObject({ days: 365, seeds: [1], lateAfter: 30 * DAY, lastModified: false })
    expect(found.parts.map((part: { which: string }) => part.which)).toEqual(['all', 'exact'])
    const [equal, prior] = found.parts[0].rows
    expect(equal).toMatchObject({ contender: 'equal', kind: 'rule', perDay: 0.2 })
    expect(prior).toMatchObject({ contender: 'optimal-prior', kind: 'budget', stretch: null })
    for (const row of [equal, prior]) {
      expect(row.freshness).toBeGreaterThan(0.3)
      expect(row.freshness).toBeLessThan(1)
      expect(Math.abs(row.usedPerDay / 0.2 - 1)).toBeLessThan(0.05)
    }
    expect(await text(1)).toBe(await text(1))
    expect(await text(2)).not.toBe(await text(1))
  })

  it('shows delay and caught changes, and freshness by source', async () => {
    const { out } = await evaluate(`${both} --budget 1 --policies equal,oracle,lambda-crawl`)
    expect(out).toMatch(/\npolicy .* delay +90% by +caught +needless +used +gaps x\n/)
    expect(out).toMatch(/\nequal .* \d+ (hours|minutes) +\d+ hours +\d+\.\d% /)
    const bySource = out.slice(out.indexOf('Freshness and delay by source'))
    expect(bySource).toMatch(/\nsource +pages +changes +equal +± +delay +lambda-crawl +± +delay\n/)
    expect(bySource.match(/\nsource-\d +10 +\d+ +0\.\d{4} +0\.\d{4} +\S/g)).toHaveLength(4)
    const none = await evaluate(`${both} --budget 1 --policies equal,nutch --by-source none`)
    expect(none.out).not.toContain('by source')
    const other = await evaluate(`${both} --budget 1 --policies equal,nutch --by-source nutch`)
    expect(other.out).toMatch(/\nsource +pages +changes +nutch +± +delay\n/)
  })

  it('means over several seeds, with the spread in JSON', async () => {
    const rows = async (seed: string) => {
      const args = `${both} --budget 0.2 --policies equal,lambda-crawl --json --seed ${seed}`
      return JSON.parse((await evaluate(args)).out).parts[0].rows
    }
    const [one, two, mean] = [await rows('1'), await rows('2'), await rows('1,2')]
    expect(mean[1].freshness).toBeCloseTo((one[1].freshness + two[1].freshness) / 2, 12)
    const apart = Math.abs(one[1].freshness - two[1].freshness)
    expect(apart).toBeGreaterThan(0)
    expect(mean[1].spread.freshness).toBeCloseTo(apart / Math.sqrt(2), 12)
    expect(one[1].spread.freshness).toBeNull()
    expect(mean[1].bySource).toHaveLength(4)
  })

  it('lets pages tell Last-Modified, which Listing 1 needs', async () => {
    const { out } = await evaluate(
      `${both} --budget 0.5 --last-modified --policies malcolm-armitage-1`,
    )
    expect(out).toMatch(/\nmalcolm-armitage-1 +0\.\d{4}/)
    const { code, err } = await evaluate(`${both} --policies malcolm-armitage-1`)
    expect([code, err]).toEqual([2, 'revisit: malcolm-armitage-1 needs --last-modified\n'])
  })

  it('writes a report with figures and a table for each budget', async () => {
    const own: Record<string, string> = { ...given }
    const args = `evaluate ${both} --budget 1,0.2 --policies equal,oracle --html out.html`
    const { code } = await runHere(args.split(' '), { files: own })
    expect(code).toBe(0)
    const html = own['out.html']!
    // Two parts, each with a figure over the budgets and two for each of the two budgets; then by source.
    expect(html.match(/<figure>/g)).toHaveLength(2 * 5)
    expect(html.match(/<table>/g)).toHaveLength(2 * 2 + 2)
    expect(html).toContain('How late changes were noticed')
    expect(html).toContain('By source, 0.2 visits a page and day')
    expect(html).toContain('Pages with exact change times: 20 of 2 sources')
    expect(html).not.toMatch(/NaN|undefined|Infinity|<script/)
  })

  it('runs on histories alone, as its help says', async () => {
    const { code, out } = await evaluate('--histories updates.csv --budget 1 --policies equal')
    expect(code).toBe(0)
    expect(out).toMatch(/^All pages: \d+ of 1 source, /)
    expect((await evaluate('--help')).out).toContain('Without --objects all pages are one source')
  })

  it('tells of pages that the objects leave out', async () => {
    const times = `${given['updates.csv']}\nstray,1700000000`
    const { code, err } = await evaluate(`${both} --budget 1 --policies equal`, {
      'updates.csv': times,
    })
    expect(code).toBe(0)
    expect(err).toBe(
      'revisit: 1 pages of the histories are not among the objects and are left out, such as stray\n',
    )
  })

  it('lists the policies', async () => {
    const { code, out } = await evaluate('--policies list')
    expect(code).toBe(0)
    for (const name of ['equal', 'singh', 'lambda-crawl', 'clairvoyant', 'malcolm-armitage-1'])
      expect(out).toMatch(new RegExp(`(^|\\n)${name} +\\S`))
    const { policies } = JSON.parse((await evaluate('--policies list --json')).out)
    expect(policies[0]).toMatchObject({ name: 'equal', summary: expect.any(String) })
  })

  it.each([
    ['--budget 1', /say --histories, a CSV of object_id,unix_seconds/],
    ['--histories nowhere.csv', /cannot read nowhere\.csv/],
    [`${both} --budget 0`, /--budget takes visits a page and day, above 0 .*; got "0"/],
    [`${both} --budget 0.2,-1`, /above 0 .*; got "-1"/],
    [`${both} --budget 1,,2`, /got ""/],
    [`${both} --days 0`, /--days takes a whole number from 1 on/],
    [`${both} --seed 1,1`, /--seed names a seed twice/],
    [`${both} --seed 1,x`, /--seed takes a whole number from 0 on; got "x"/],
    [`${both} --policies equal --by-source auto`, /"auto" does not compete/],
    [`${both} --policies equal,tarot`, /no policy "tarot"; there are: equal, nutch/],
    [`${both} --budget 80000`, /simulated visits, more than .*; ask for less, or say --yes/],
  ])('refuses %s', async (args, message) => {
    const { code, err } = await evaluate(args)
    expect(code).toBeGreaterThan(1)
    expect(err).toMatch(message)
  })

  it.each([
    [
      'updates.csv',
      'object_id,unix_seconds\na,5\na,5',
      /updates\.csv, line 3: a has the same time twice/,
    ],
    [
      'updates.csv',
      'object_id,unix_seconds\na,5\na,4',
      /updates\.csv, line 3: a has a time before/,
    ],
    [
      'updates.csv',
      'object_id,unix_seconds\na,soon',
      /updates\.csv, line 2: unix_seconds is "soon"/,
    ],
    [
      'updates.csv',
      'id,at\na,5',
      /updates\.csv, line 1: the header lacks object_id and unix_seconds/,
    ],
    [
      'objects.csv',
      'object_id,first,observed_until\na,9,5',
      /objects\.csv, line 2: a ends \(5\) before/,
    ],
    ['objects.csv', 'object_id,first,observed_until\na,x,5', /objects\.csv, line 2: first is "x"/],
    ['objects.csv', 'object_id,first,observed_until', /no recorded object has any time to replay/],
  ])('names the line of %s that is wrong: %j', async (file, text, message) => {
    const { code, err } = await evaluate(both, { [file]: text })
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})
