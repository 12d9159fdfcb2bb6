import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../src/model/units.js'
import { checkedSettings } from '../../src/notify/channel.js'
import { isSigned } from '../../src/notify/send/webhook.js'
import { Random } from '../../src/numeric/random.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { until } from './a-notifier.js'
import { collection, start, WatchedPages } from './watched-pages.js'

const program = fileURLToPath(new URL('notifying-process.mjs', import.meta.url))
const secret = 'the secret of a test'
const urls = ['https://a.example/', 'https://a.example/x', 'https://b.example/']

/** A receiver that can be down (nothing listens) and that fails some requests while it is up. */
class Receiver {
  readonly #random = new Random(99)
  /** Visits it took, in order, copies included. */
  readonly taken: { readonly page: string; readonly number: number }[] = []
  unsigned = 0
  refused = 0
  port = 0
  #server: Server | undefined

  async up(): Promise<void> {
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const header = String(request.headers['revisit-signature'])
      if (!isSigned({ secret, header, body, now: Date.now() / 1000 })) this.unsigned++
      const chance = this.#random.uniform()
      // Sometimes it takes the message and says it did not, as when its answer is lost.
      if (chance > 0.15) {
        const { page, visit } = JSON.parse(body)
        this.taken.push({ page: page.url, number: visit.number })
      }
      if (chance < 0.3) this.refused++
      response.writeHead(chance < 0.3 ? 503 : 200).end()
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async down(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }
}

describe('notifications across kills', () => {
  it('reach a receiver that was down at least once, in order per page', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openSqliteStore({ path })
    const pages = new WatchedPages(store)
    const receiver = new Receiver()
    await receiver.up()
    let child: ChildProcess | undefined
    let [kills, printed] = [0, '']
    const launch = () => {
      child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'ignore', 'pipe'] })
      child.stderr?.on('data', (chunk) => {
        printed += chunk
      })
    }
    const kill = async () => {
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGKILL')
      await ended
      kills++
    }
    onTestFinished(async () => {
      child?.kill('SIGKILL')
      await receiver.down()
      await store.close()
    })

    await pages.add(...urls)
    const target = { kind: 'webhook', url: `http://127.0.0.1:${receiver.port}/`, secret } as const
    const settings = checkedSettings({ target }, { allowedNetworks: ['127.0.0.0/8'] })
    const { id } = await store.outbox.addChannel({
      collection,
      name: 'hook',
      settings: settings as unknown as Json,
      now: 0,
      cursor: 0,
    })
    let time = start
    for (const url of urls) await pages.visit(url, { at: time++, outcome: 'first', text: '0' })
    const change = async (rounds: number) => {
      for (let i = 0; i < rounds; i++)
        for (const url of urls) {
          time++
          await pages.visit(url, { at: time, outcome: 'changed', text: `text of ${time}` })
        }
    }

    // Killed a little after it has begun, several times, each at another point.
    for (let i = 0; i < 4; i++) {
      await change(6)
      launch()
      const enough = receiver.taken.length + 3 + 2 * i
      await until(() => receiver.taken.length >= enough)
      await new Promise((resolve) => setTimeout(resolve, 7 * i))
      await kill()
    }
    // The receiver is away; the process tries, and is killed.
    await receiver.down()
    await change(6)
    launch()
    await until(async () => ((await store.outbox.channel(id))?.failures ?? 0) >= 2)
    await kill()
    await change(6)
    launch()
    await new Promise((resolve) => setTimeout(resolve, 200))
    await receiver.up()
    await until(async () => {
      const reported = await store.outbox.deliveries({
        collection,
        state: 'delivered',
        limit: 1000,
      })
      return reported.length === 108
    })
    await kill()

    const log = await store.visitLog({ collection, changesOnly: true, limit: 1000 })
    expect(log).toHaveLength(108)
    for (const url of urls) {
      const made = log.filter((each) => each.page.url === url).map((each) => each.number)
      const taken = receiver.taken.filter((each) => each.page === url).map((each) => each.number)
      // Every one, none before one that came earlier; copies only while the first was not noted.
      expect([...new Set(taken)]).toEqual(made)
      expect(taken).toEqual([...taken].sort((a, b) => a - b))
    }
    expect(receiver.unsigned).toBe(0)
    expect(receiver.refused).toBeGreaterThan(5)
    expect(receiver.taken.length).toBeGreaterThan(108)
    expect(kills).toBe(6)
    expect(printed).toBe('')
    expect(await store.check()).toEqual([])
  })
})
