import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { hosts, measured, pages } from './crawl/sides.mjs'
import { compareBoth } from './crawl.mjs'

/**
 * Where the processor's time goes at a visit that ends in a 304, in
 * `bench/crawl.mjs`: microseconds that each thread ran, and that it was ready
 * and had no core, by the scheduler's own counts (/proc/PID/task/*\/schedstat,
 * so on Linux alone). The store's thread is the busiest beside the network's;
 * the rest are those that collect garbage and compile.
 */

export const name = 'processor time at a visit, by thread'

export async function run({ print }) {
  if (!existsSync('/proc/self/schedstat')) return print('only on Linux')
  const sides = {}
  const timed = async (work, { server, side }) => {
    const before = [timesOf(process.pid), timesOf(server.pid)]
    const turn = await measured(work)
    const [own, served] = [timesOf(process.pid), timesOf(server.pid)].map(since(before))
    sides[side] ??= []
    sides[side].push({ wall: turn.seconds, ...byThread(own, served) })
    return turn
  }
  await compareBoth({ print, timed, statuses: [304] })
  // The first turn warms up.
  for (const [side, [, ...turns]] of Object.entries(sides)) tell(print, side, turns)
}

/** Of each thread of a process, in nanoseconds. */
function timesOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return new Map(
    tasks.map((task) => {
      const file = `/proc/${pid}/task/${task}/schedstat`
      const [ran, waited] = readFileSync(file, 'utf8').split(' ').map(Number)
      return [Number(task), { ran, waited }]
    }),
  )
}

const none = { ran: 0, waited: 0 }

/** What came to each thread since then; those that have ended meanwhile are lost. */
function since(before) {
  return (times, place) =>
    Array.from(times, ([task, { ran, waited }]) => {
      const then = before[place].get(task) ?? none
      return { task, ran: ran - then.ran, waited: waited - then.waited }
    })
}

function byThread(own, served) {
  const others = own.filter(({ task }) => task !== process.pid).sort((a, b) => b.ran - a.ran)
  const [busiest = none, ...rest] = others
  return {
    network: own.find(({ task }) => task === process.pid),
    store: busiest,
    rest: sum(rest),
    server: sum(served),
  }
}

function sum(times) {
  return times.reduce(
    (all, { ran, waited }) => ({ ran: all.ran + ran, waited: all.waited + waited }),
    none,
  )
}

function tell(print, side, turns) {
  const visits = turns.length * hosts * pages
  const wall = turns.reduce((all, turn) => all + turn.wall, 0)
  const each = ['network', 'store', 'rest', 'server'].map((thread) => {
    const { ran, waited } = sum(turns.map((turn) => turn[thread]))
    return { thread, ran: ran / 1000 / visits, waited: waited / 1000 / visits }
  })
  const ran = each.reduce((all, { ran }) => all + ran, 0)
  const reported = each.map(
    ({ thread, ran, waited }) => `${thread} ${ran.toFixed(1)} (+ ${waited.toFixed(1)} waiting)`,
  )
  const perVisit = (wall * 1e6) / visits
  print(
    `${side}: ${perVisit.toFixed(1)} microseconds a visit; ran ${reported.join(', ')}; in all ${ran.toFixed(1)} on ${(ran / perVisit).toFixed(2)} cores`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
