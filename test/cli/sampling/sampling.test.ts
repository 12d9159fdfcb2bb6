import { describe, expect, it } from 'vitest'
import { runHere } from '../../fixtures/small-environment.js'

const sampling = (...args: string[]) => runHere(['sampling', ...args])
const json = async (...args: string[]) => JSON.parse((await sampling(...args, '--json')).out)

describe('revisit sampling', () => {
  it('shows several gaps and the cheapest', async () => {
    const { code, out } = await sampling('--period', '10d', '--error', '20%')
    expect(code).toBe(0)
    // By hand: 1.54414 / .04 = 38.6 gaps of 15.9 days at best.
    expect(out).toMatch(/16 days +40 +20 months +19\.9% +cheapest/)
    expect(out).toMatch(/Cheapest: 40 visits, one every 16 days, over 20 months\.\n$/)
  })

  it('knows scenario 2 of Malcolm & Armitage', async () => {
    // Shared oracles: 22.10% at 3 days, 121 visits every 24 h.
    const found = await json('--period', '3d', '--every', '24h', '--for', '120d', '--last-modified')
    expect(found.rows).toHaveLength(1)
    expect(found.rows[0].visits).toBe(121)
    expect(found.rows[0].error).toBeCloseTo(0.221, 4)
  })

  it('keeps to the time there is, and says when it is too short', async () => {
    const tight = await json('--period', '1d', '--error', '20%', '--for', '30d')
    expect(tight.best.duration).toBeLessThanOrEqual(30 * 86400)
    expect(tight.rows.some((row: { enough: boolean }) => !row.enough)).toBe(true)
    const { out, code } = await sampling('--period', '10d', '--error', '5%', '--for', '30d')
    expect(code).toBe(0)
    expect(out).toMatch(/30 days is too short/)
  })

  it('asks more of a level than of a standard deviation', async () => {
    const one = await json('--period', '10d', '--error', '20%', '--every', '10d')
    const most = await json('--period', '10d', '--error', '20%', '--every', '10d', '--level', '95%')
    // By hand: 1.96^2 = 3.84 times the gaps.
    expect((most.best.visits - 1) / (one.best.visits - 1)).toBeCloseTo(3.84, 1)
  })

  it('says where no number of visits is enough', async () => {
    const { out } = await sampling('--period', '1min', '--error', '20%', '--every', '1d')
    expect(out).toMatch(/Visit more often/)
    expect(
      (await json('--period', '1min', '--error', '20%', '--every', '1d')).rows[0].visits,
    ).toBeNull()
  })

  it.each([
    [[], /--period 10d/],
    [['--period', '10d'], /--error 20%.*--for 60d/],
    [['--period', 'soon', '--error', '20%'], /--period takes a duration/],
    [['--period', '10d', '--error', 'none'], /--error takes/],
  ])('answers %j with one line', async (args, message) => {
    const { code, err, out } = await sampling(...args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(message)
    expect(err).toMatch(/^revisit: [^\n]+\n$/)
  })
})
