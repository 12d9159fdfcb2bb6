import { OptionError } from '../../../model/index.js'

/** A name, a place in an array, `*` for any one of them, or `**` for any depth. */
export type JsonPath = readonly string[]

const part = /(\.\.)|\.?([^.[\]]+)|\[(?:(\d+|\*)|"([^"]*)"|'([^']*)')\]/gy

/** Reads a path such as `$.items[*].time`, `$..id` or `meta["made at"]`. */
export function checkedPath(text: string): JsonPath {
  const rest = text.trim().replace(/^\$/, '')
  const path: string[] = []
  part.lastIndex = 0
  let read = 0
  for (const found of rest.matchAll(part)) {
    read += found[0].length
    path.push(found[1] === undefined ? (found[2] ?? found[3] ?? found[4] ?? found[5])! : '**')
  }
  if (path.length > 0 && read === rest.length && path.at(-1) !== '**') return path
  throw new OptionError(
    'bad-path',
    `"${text}" is no path in JSON; write it like $.items[*].time or $..id`,
  )
}

/**
 * The paths that go on below a step; an empty one among them means that the
 * step itself is meant. Each rest of a path once: there are no more of them
 * than parts, however often `..` stands in it.
 */
export function stepped(paths: readonly JsonPath[], step: string): JsonPath[] {
  const below = new Map<string, JsonPath>()
  for (const path of paths) for (const rest of rests(path, step)) below.set(rest.join('\0'), rest)
  return [...below.values()]
}

function rests(path: JsonPath, step: string): JsonPath[] {
  if (path[0] === '**') return [path, ...rests(path.slice(1), step)]
  return path[0] === '*' || path[0] === step ? [path.slice(1)] : []
}
