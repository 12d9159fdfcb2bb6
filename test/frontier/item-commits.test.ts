import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ItemCommits } from '../../src/frontier/item-commits.js'
import { discoveredOf, itemOf, type PutItem } from '../../src/frontier/items.js'
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

it('items of one address are stored in the order in which they came, whenever the one before is done', async () => {
  let done = () => {}
  const first = new Promise<void>((resolve) => {
    done = resolve
  })
  const stored: number[] = []
  const commits = new ItemCommits(async (items) => {
    stored.push(...items.map((each) => (each.kind === 'known' ? each.date : 0)))
    await first
    return items.map(() => ackStatus.ok)
  })
  const report = (date: number) => {
    const info = { url: 'http://a.org/', crawlID: 'c' }
    commits.put(itemOf({ known: { info, refetchable_from_date: date } })!, () => {})
  }
  report(1)
  await expect.poll(() => stored).toEqual([1])
  // It waits for the first by the time that the third comes.
  report(2)
  await wait(50)
  report(3)
  done()
  await commits.settled()
  commits.close()
  expect(stored).toEqual([1, 2, 3])
})

it('all is settled where what is left was given up', async () => {
  let fail = () => {}
  const stuck = new Promise<never>((_, reject) => {
    fail = () => reject(new Error('the database is away'))
  })
  let calls = 0
  const commits = new ItemCommits(() => {
    calls++
    return stuck
  })
  const answers: number[] = []
  // The second waits for the first: they are of one address.
  for (let i = 0; i < 2; i++) commits.put(item('http://a.org/'), (status) => answers.push(status))
  await expect.poll(() => calls).toBe(1)
  commits.close()
  expect(answers).toEqual([ackStatus.fail, ackStatus.fail])
  const settled = commits.settled()
  fail()
  await settled
  expect(calls).toBe(1)
})
