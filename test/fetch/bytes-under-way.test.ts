import { describe, expect, it } from 'vitest'
import { BytesUnderWay } from '../../src/fetch/body.js'
import { localServer } from '../fixtures/local-server.js'
import { localFetcher } from '../visit/local-fetcher.js'

const size = 400_000

describe('contents under way', () => {
  it('hold no more together than they may: new visits wait', async () => {
    let [open, most] = [0, 0]
    const servers = await Promise.all(
      Array.from({ length: 12 }, () =>
        localServer((_, response) => {
          most = Math.max(most, ++open)
          response.write('x'.repeat(size / 2))
          setTimeout(() => {
            open--
            response.end('x'.repeat(size / 2))
          }, 300)
        }),
      ),
    )
    const visits = async (bytesUnderWay: number) => {
      ;[open, most] = [0, 0]
      const fetcher = localFetcher({ bytesUnderWay })
      const answers = await Promise.all(
        servers.map(async (url, n) => {
          // One after another, so that what has come by then counts.
          await new Promise((resolve) => setTimeout(resolve, 60 * n))
          return fetcher.fetch({ url })
        }),
      )
      expect(answers.map(({ kind }) => kind)).toEqual(Array(12).fill('content'))
      return most
    }
    expect(await visits(100 * size)).toBeGreaterThan(3)
    expect(await visits(size)).toBeLessThanOrEqual(3)
  })

  it('are given up by size where far too much is held', () => {
    const bytes = new BytesUnderWay({ most: 1000 })
    expect(bytes.take(1500, 1500)).toBe(true)
    expect(bytes.isFull).toBe(true)
    expect(bytes.take(600, 600)).toBe(false)
    // A small one is no help.
    expect(bytes.take(100, 100)).toBe(true)
    const begun: number[] = []
    bytes.whenRoom(() => begun.push(1))
    bytes.giveBack(600)
    bytes.ended()
    expect(begun).toEqual([])
    bytes.giveBack(1500)
    bytes.ended()
    expect(begun).toEqual([1])
  })
})
