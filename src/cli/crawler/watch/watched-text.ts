import { normalUrl } from '../../../crawl/index.js'
import type { ExpectedVisits } from '../../../engine/index.js'
import { shown } from '../../../formats/index.js'
import { problemLines } from '../../estimate/report.js'
import { counted } from '../../text/counted.js'
import type { World } from '../../world.js'
import type { Gathered } from './gather-addresses.js'

export interface WatchResult {
  added: number
  already: number
  changed: number
  /** Addresses and lines of lists that are none of a web page. */
  refused: number
  foreign: number
  /** When new pages are visited first and again; null where there are none. */
  next: ExpectedVisits | null
}

export interface Watched {
  readonly result: WatchResult
  /** What was named on the command line, and what was gathered from each. */
  readonly what: readonly string[]
  readonly gathered: readonly Gathered[]
  readonly json: boolean
}

/** What `watch` came to; what was left out goes to stderr, so that JSON stays JSON. */
export function writeWatched(world: World, watched: Watched): void {
  const { result, json } = watched
  world.out.write(json ? `${JSON.stringify(result)}\n` : `${addedText(watched)}\n`)
  for (const line of leftOut(watched)) world.err.write(`${line}\n`)
}

function addedText({ result, gathered }: Watched): string {
  const { added, already, changed, next } = result
  const lists = gathered.filter((each) => each.from !== 'a page')
  const from = lists.length === 1 ? ` from ${lists[0]!.from}` : ''
  const known = already === 0 ? '' : `, ${already} watched already`
  const other = changed === 0 ? '' : ` (${counted(changed, 'page')} with new options)`
  const plan = next === null ? '' : `\n${nextText(next)}`
  return `${counted(added, 'new page')}${from}${known}${other}${plan}`
}

/** Nothing is visited by `watch` itself. */
function nextText({ text, again }: ExpectedVisits): string {
  return text.startsWith('first visit now')
    ? `first visit as soon as run or serve runs; ${again}`
    : text
}

function leftOut(watched: Watched): string[] {
  const { foreign } = watched.result
  const lines = [...badLines(watched), ...badAddresses(watched)]
  if (foreign > 0)
    lines.push(`${counted(foreign, 'address')} of other hosts left out; --any-host takes them in`)
  return lines
}

/** By number and reason, with the list's name unless it is the one thing that was named. */
function badLines({ what, gathered }: Watched): string[] {
  const all = gathered.flatMap((each) => each.badLines)
  return all.flatMap(({ list, problems }) => {
    const name = what.length === 1 && list === what[0] ? '' : `${shown(list)}, `
    return problemLines(problems, undefined).map((line) => name + line)
  })
}

function badAddresses({ gathered }: Watched): string[] {
  const all = gathered.flatMap((each) => each.addresses)
  const bad = all.filter((each) => normalUrl(each) === undefined)
  if (bad.length === 0) return []
  return [`${counted(bad.length, 'address')} left out, being none of a web page: ${shown(bad[0]!)}`]
}
