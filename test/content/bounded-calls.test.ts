import { setTimeout as after } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { BoundedCalls } from '../../dist/content/bounded/bounded-calls.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.

const module = new URL('../fixtures/left-running.mjs', import.meta.url).href

function open(beginTime = 30) {
  const calls = new BoundedCalls({ threads: 2, beginTime })
  onTestFinished(() => calls.close())
  return (name: string) => calls.call<string>({ module, name, given: () => ({ args: [] }) })
}

it('a thread that ended after its call, by what that left running, is not used again', async () => {
  const call = open()
  expect(await Promise.all([call('throwsLater'), call('throwsLater')])).toEqual(['given', 'given'])
  await after(500)
  expect(await Promise.all([call('reads'), call('reads'), call('reads')])).toEqual(
    Array(3).fill('read'),
  )
})

it('a thread that never comes to its next call is ended, and another makes that one', async () => {
  // Long enough for a thread to start on a machine at work.
  const call = open(5)
  expect(await Promise.all([call('blocksLater'), call('blocksLater')])).toEqual(['given', 'given'])
  await after(200)
  const next = [call('reads'), call('reads'), call('reads')]
  expect(await Promise.all(next)).toEqual(Array(3).fill('read'))
})
