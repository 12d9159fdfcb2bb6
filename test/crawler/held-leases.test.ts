import { describe, expect, it } from 'vitest'
import { HeldLeases } from '../../src/crawler/host-queues.js'
import type { Lease } from '../../src/model/lease.js'

const lease = (host: string, token: number) => ({ host, token }) as Lease
const leases = [lease('a', 1), lease('b', 2), lease('a', 3), lease('a', 4), lease('b', 5)]

describe('leases held ahead', () => {
  it('are started one at a time for each host, in the order they came', () => {
    const held = new HeldLeases({ perHost: 1, now: () => 0 })
    held.add(leases)
    expect([held.start()?.token, held.start()?.token, held.start()]).toEqual([1, 2, undefined])
    expect([held.waiting, held.running]).toEqual([3, 2])
    held.end(leases[0]!)
    expect([held.start()?.token, held.start()]).toEqual([3, undefined])
    held.end(leases[1]!)
    held.end(leases[2]!)
    expect([held.start()?.token, held.start()?.token, held.start()]).toEqual([5, 4, undefined])
  })

  it('are started several at once where a host takes them', () => {
    const held = new HeldLeases({ perHost: 2, now: () => 0 })
    held.add(leases)
    const started = Array.from({ length: 5 }, () => held.start()?.token)
    expect(started).toEqual([1, 3, 2, 5, undefined])
    held.end(leases[2]!)
    expect(held.start()?.token).toBe(4)
  })

  it('are dropped by host or all, but for those under way', () => {
    const held = new HeldLeases({ perHost: 1, now: () => 0 })
    held.add(leases)
    held.start()
    expect(held.drop('a').map(({ token }) => token)).toEqual([3, 4])
    expect(held.drop('c')).toEqual([])
    expect(held.dropAll().map(({ token }) => token)).toEqual([2, 5])
    expect([held.waiting, held.running, held.start()]).toEqual([0, 1, undefined])
    held.end(leases[0]!)
    held.add([lease('a', 6)])
    expect(held.start()?.token).toBe(6)
  })

  it('let a visit pause and come back before pages not begun', () => {
    const held = new HeldLeases({ perHost: 1, now: () => 0 })
    held.add(leases)
    const [first, other] = [held.start()!, held.start()!]
    held.end(first)
    expect(held.start()?.token).toBe(3)
    const back: number[] = []
    held.comeBack(first, () => back.push(1))
    // Its host is busy with the page that came in between.
    expect(held.nextBack()).toBeUndefined()
    held.end(other)
    expect(held.nextBack()).toBeUndefined()
    held.end(leases[2]!)
    held.nextBack()!()
    expect([back, held.running, held.nextBack()]).toEqual([[1], 1, undefined])
    expect(held.drop('a').map(({ token }) => token)).toEqual([4])
    held.end(first)
    expect([held.start()?.token, held.running, held.waiting]).toEqual([5, 1, 0])
  })

  it('take a visit back to a host that has no other', () => {
    const held = new HeldLeases({ perHost: 1, now: () => 0 })
    held.add([leases[0]!])
    const only = held.start()!
    held.end(only)
    let back = false
    held.comeBack(only, () => {
      back = true
    })
    expect(held.dropAll()).toEqual([])
    held.nextBack()!()
    expect([back, held.running]).toEqual([true, 1])
    held.end(only)
    expect([held.running, held.nextBack(), held.start()]).toEqual([0, undefined, undefined])
  })

  it('do not count as under way once they take long, while their host stays busy', () => {
    let now = 0
    const held = new HeldLeases({ perHost: 1, now: () => now })
    held.add(leases)
    const [first, other] = [held.start()!, held.start()!]
    now = 1
    held.letLinger({ longerThan: 2, most: 10 })
    expect([held.running, held.lingering, held.ready]).toEqual([2, 0, 3])
    now = 3
    held.letLinger({ longerThan: 2, most: 1 })
    expect([held.running, held.lingering]).toEqual([1, 1])
    // The two pages that wait for the slow host are not at hand; it is still busy.
    expect([held.ready, held.waiting, held.start()]).toEqual([1, 3, undefined])
    held.add([lease('a', 6)])
    expect([held.ready, held.waiting]).toEqual([1, 4])
    held.end(first)
    expect([held.running, held.lingering, held.ready]).toEqual([1, 0, 4])
    expect(held.start()?.token).toBe(3)
    held.end(other)
    expect([held.running, held.lingering]).toEqual([1, 0])
  })
})
