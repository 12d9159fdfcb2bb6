import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startNode } from '../../scripts/frontier/node.mjs'
import { tempFolder } from '../fixtures/temp-folder.js'
import { RawCall } from './raw-call.js'
import { all, discovered, info, itemBytes, put, status, wireClient } from './wire-client.js'

const million = 1_000_000

/** The most memory that a process has had, in MB. */
function mostMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(text)![1]) / 1024
}

it('a million addresses are put and listed, and a client that reads no answers is held back, within 400 MB', async () => {
  const node = await startNode({ database: join(tempFolder(), 'a.db') })
  onTestFinished(() => node.stop())
  const client = wireClient(node.address)
  async function* batches() {
    for (let from = 0; from < million; from += 500) {
      const items = Array.from({ length: 500 }, (_, at) =>
        info(`http://h${(from + at) % 5_000}.org/${from + at}`),
      )
      yield { ID: String(from), items }
    }
  }
  const acks = await all(client.putDiscovered(batches()))
  expect(acks.every(({ statuses }) => statuses.every((each) => each === status.OK))).toBe(true)

  // One that sends a million items and reads nothing: the connection takes no more of it.
  const silent = new RawCall(node.address, 'PutURLs')
  const metadata = { text: 'x'.repeat(500) }
  let sent = 0
  const sending = (async () => {
    for (; sent < million && !silent.stream.destroyed; sent++) {
      const isReady = silent.send(itemBytes(discovered(`http://silent.org/${sent}`, { metadata })))
      if (!isReady)
        await new Promise<void>((resolve) =>
          silent.stream.once('drain', resolve).once('close', resolve),
        )
    }
  })()
  await wait(5_000)
  expect(sent).toBeLessThan(50_000)

  let listed = 0
  const urls = new Set<string>()
  for await (const { item } of client.listURLs({ size: 2 * million })) {
    listed++
    if (listed % 1_000 === 0) urls.add(item.value!.info.url)
  }
  expect(listed).toBeGreaterThanOrEqual(million)
  expect(urls.size).toBe(Math.floor(listed / 1_000))
  expect([...(await put(client, [discovered('http://other.org/')])).values()]).toEqual([status.OK])
  silent.vanish()
  await sending
  process.stderr.write(`most memory of the node: ${Math.round(mostMemory(node.pid))} MB\n`)
  expect(mostMemory(node.pid)).toBeLessThan(400)
}, 900_000)
