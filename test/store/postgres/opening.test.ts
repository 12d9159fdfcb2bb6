import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** What a server says while it recovers: https://www.postgresql.org/docs/current/protocol-message-formats.html, ErrorResponse. */
function startingUp(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', '']
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A way to a database, closed at first; whoever comes while it recovers is sent away. */
async function way(database: string) {
  const to = new URL(database)
  const sockets = new Set<Socket>()
  let recovering = 0
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    if (recovering > 0) {
      recovering--
      client.once('data', () => client.end(startingUp()))
      return
    }
    const real = connect(Number(to.port), to.hostname)
    real.on('error', () => {})
    real.on('close', () => client.destroy())
    client.on('close', () => real.destroy())
    client.pipe(real).pipe(client)
  })
  // A port that is free, and closed until it is opened.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  await close()
  onTestFinished(close)
  const url = new URL(database)
  url.port = String(port)
  return {
    url: url.href,
    close,
    async open({ recoveringFor = 0 } = {}) {
      recovering = recoveringFor
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    },
  }
}

it('a server that is gone or recovers is waited for, and a person is told once', async () => {
  const { url, open, close } = await way(await newDatabase())
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const opening = openPostgresStore({ url, openWithin: 30, note })
  await new Promise((resolve) => setTimeout(resolve, 500))
  await open({ recoveringFor: 2 })
  const store = await opening
  expect(notes).toEqual([
    expect.stringMatching(/cannot be reached \(.*ECONNREFUSED.*tried again for up to 30 seconds/),
    expect.stringMatching(/is reached again, after/),
  ])
  // Later on the same: calls wait, and nobody is told of what took a moment.
  await close()
  const counted = store.countPages({ collection: 'c' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await open({ recoveringFor: 1 })
  expect(await counted).toBe(0)
  expect(notes).toHaveLength(2)
  await store.close()
  // One that is just starting is waited for by short commands too.
  await close()
  await open({ recoveringFor: 2 })
  await (await openPostgresStore({ url })).close()
})

it('a server that stays away is waited for once, not for each call', async () => {
  const { url, open, close } = await way(await newDatabase())
  await open()
  const store = await openPostgresStore({ url, patience: 1 })
  await store.countPages({ collection: 'c' })
  await close()
  const waited = async () => {
    const began = performance.now()
    const counting = store.countPages({ collection: 'c' })
    await expect(counting).rejects.toMatchObject({ code: 'store-unreachable' })
    return performance.now() - began
  }
  expect(await waited()).toBeGreaterThan(700)
  // The time is up for the second; it tries all the same.
  expect(await waited()).toBeLessThan(700)
  await open()
  expect(await store.countPages({ collection: 'c' })).toBe(0)
  await store.close()
})

it('nobody there is told at once, or when the time is up', async () => {
  const { url } = await way(await newDatabase())
  await expect(openPostgresStore({ url })).rejects.toMatchObject({ code: 'store-unreachable' })
  const began = performance.now()
  await expect(openPostgresStore({ url, openWithin: 0.5 })).rejects.toMatchObject({
    code: 'store-unreachable',
  })
  expect(performance.now() - began).toBeGreaterThan(500)
})

it('worker waits for a server, until Ctrl-C; a short command says what is wrong', async () => {
  const { url } = await way(await newDatabase())
  const env = { REVISIT_DATABASE: url }
  expect(await runCli(['list'], { env })).toMatchObject({
    code: 3,
    err: expect.stringMatching(/cannot be reached. Check the address, and that the server runs/),
  })
  const worker = spawn(process.execPath, [main, 'worker'], { env: { ...process.env, ...env } })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const [said] = (await once(worker.stderr.setEncoding('utf8'), 'data')) as [string]
  expect(said).toMatch(/cannot be reached .*; it is tried again for up to 10 minutes/)
  expect(said).not.toContain(`:${new URL(url).password}@`)
  const ended = once(worker, 'close')
  worker.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
})
