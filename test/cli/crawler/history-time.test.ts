import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

/** Eight visits of one page, at noon from the 1st to the 8th of May 2024. */
async function eightVisits() {
  const { revisit } = await crawledSite()
  const rows = Array.from({ length: 8 }, (_, i) => `https://e.org/,2024-05-0${i + 1}T12:00:00Z,0`)
  await revisit(['import', '-'], { input: `url,at,changed\n${rows.join('\n')}\n` })
  const closing = async (...flags: string[]) => {
    const { out } = await revisit(['history', 'https://e.org/', ...flags])
    return out.trimEnd().split('\n').at(-1)
  }
  return { revisit, closing }
}

describe('the visits of a page in a stretch of time', () => {
  it('are told apart from those outside it, which no other count would show', async () => {
    const { closing } = await eightVisits()
    const none = '0 visits; 8 outside the time asked for'
    expect(await closing('--from', '2027-01-01')).toBe(none)
    expect(await closing('--from', '2027-01-01', '--last', 'all')).toBe(none)
    expect(await closing('--from', '2024-05-03', '--until', '2024-05-08')).toBe(
      '5 visits; 3 outside the time asked for',
    )
    expect(await closing('--from', '2020-01-01')).toBe('8 visits')
  })

  it('are the newest of it where there are more than asked for', async () => {
    const { closing, revisit } = await eightVisits()
    const until = ['--until', '2024-05-06', '--last', '2']
    expect(await closing(...until)).toBe(
      '2 visits of 5; --last all shows the rest; 3 outside the time asked for',
    )
    const { out } = await revisit(['history', 'https://e.org/', ...until, '--json'])
    const days = JSON.parse(out).map(({ at }: { at: number }) => new Date(1000 * at).getUTCDate())
    expect(days).toEqual([4, 5])
    expect(await closing('--last', '3')).toBe('3 visits of 8; --last all shows the rest')
    expect(await closing()).toBe('8 visits')
  })
})
