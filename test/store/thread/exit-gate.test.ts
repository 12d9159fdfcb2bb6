import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../dist/store/index.js'
import { CountedCalls, ExitGate } from '../../../src/store/thread/calls.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const soon = () => performance.now() + 20

describe('the gate at which a process ends', () => {
  it('waits for calls under way, of which the first opens the store, and lets none begin', () => {
    const gate = new ExitGate()
    const calls = new CountedCalls(gate.cells)
    expect(calls.begin()).toBe(true)
    calls.end()
    expect(gate.close({ until: soon() })).toBe(false)
    expect(calls.begin()).toBe(false)
    calls.end()
    expect(gate.close({ until: soon() })).toBe(true)
    gate.remove()
  })

  it('is passed as soon as the other thread is ready', async () => {
    const gate = new ExitGate()
    const ends = `const { workerData: cells } = require('node:worker_threads')
      setTimeout(() => { Atomics.sub(cells, 0, 1); Atomics.notify(cells, 0) }, 50)`
    const worker = new Worker(ends, { eval: true, workerData: gate.cells })
    expect(gate.close({ until: performance.now() + 60_000 })).toBe(true)
    gate.remove()
    await worker.terminate()
  })

  it('listens to the process once, however many stores are open, and no longer than they are', () => {
    const before = process.listenerCount('exit')
    const many = Array.from({ length: 20 }, () => new ExitGate())
    expect(process.listenerCount('exit')).toBe(before + 1)
    for (const gate of many) gate.remove()
    expect(process.listenerCount('exit')).toBe(before)
  })
})

const store = new URL('../../../dist/store/index.js', import.meta.url).href

/** Adds pages, and ends the process in the midst of it. */
const program = `
  const [path, wait] = process.argv.slice(1)
  import(${JSON.stringify(store)}).then(async ({ openThreadedStore }) => {
    const store = await openThreadedStore({ path })
    const pages = Array.from({ length: 20_000 }, (_, at) => ({ url: 'https://a.example/' + at }))
    setTimeout(() => process.exit(7), Number(wait))
    await store.addPages({ collection: 'c', now: 1, pages })
    process.exit(8)
  })`

describe('a process that ends in the midst of a call', () => {
  it('lets it come to its end, and ends with its own exit code', async () => {
    const ends: string[] = []
    // How long it takes until the call has begun, and until it is over, depends on the machine.
    for (const wait of [30, 50, 80, 120, 200, 400, 800]) {
      const path = join(tempFolder(), 'revisit.db')
      const ended = await promisify(execFile)(process.execPath, [
        '-e',
        program,
        path,
        `${wait}`,
      ]).catch((error) => error)
      expect(ended.signal).toBe(null)
      const after = await openSqliteStore({ path })
      expect(await after.check()).toEqual([])
      ends.push(`${ended.code}: ${(await after.totals()).pages}`)
      await after.close()
    }
    // All or nothing, and once at least all although the process had ended by itself.
    expect(ends).toContain('7: 20000')
    expect(['7: 0', '7: 20000', '8: 20000']).toEqual(expect.arrayContaining(ends))
  })
})
