import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ItemCommits } from '../../src/frontier/item-commits.js'
import { discoveredOf, type PutItem } from '../../src/frontier/items.js'
import { ackStatus } from '../../src/frontier/wire.js'

const item = (url: string): PutItem => discoveredOf({ url, crawlID: 'c' })!

describe('items that are to be tried again', () => {
  it('are not stored once they were answered', async () => {
    const calls: (readonly PutItem[])[] = []
    const commits = new ItemCommits(async (items) => {
      calls.push(items)
      return items.map(() => null)
    })
    const answers: number[] = []
    commits.put(item('http://a.org/'), (status) => answers.push(status))
    await expect.poll(() => calls.length).toBe(1)
    await wait(5)
    commits.close()
    expect(answers).toEqual([ackStatus.fail])
    await commits.settled()
    expect(calls).toHaveLength(1)
  })

  it('are stored in the order in which they came', async () => {
    let busy = true
    const stored: string[] = []
    const commits = new ItemCommits(async (items) => {
      if (busy) return items.map(() => null)
      stored.push(...items.map(({ url }) => url))
      return items.map(() => ackStatus.ok)
    })
    const answers: number[] = []
    for (const url of ['http://a.org/', 'http://b.org/'])
      commits.put(item(url), (status) => answers.push(status))
    await wait(50)
    busy = false
    await commits.settled()
    commits.close()
    expect(stored).toEqual(['http://a.org/', 'http://b.org/'])
    expect(answers).toEqual([ackStatus.ok, ackStatus.ok])
  })
})
