import { afterEach } from 'vitest'
import {
  type DemoWebOptions,
  demoOrigin,
  startDemoWeb,
} from '../../../src/lab/demo-web/demo-web.js'
import { SettableClock } from './settable-clock.js'

const open: Array<{ close(): Promise<void> }> = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((web) => web.close()))
})

/** A web on a clock of the test's own, closed after the test. */
export async function openWeb(options: Partial<DemoWebOptions> = {}) {
  const clock = new SettableClock(demoOrigin)
  const web = await startDemoWeb({ seed: 7, clock, delays: { slow: 0.01, hang: 0.02 }, ...options })
  open.push(web)
  return { web, clock }
}

/** An answer without following redirects. */
export async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers, redirect: 'manual' })
  return {
    status: response.status,
    text: await response.text(),
    header: (name: string) => response.headers.get(name),
  }
}
