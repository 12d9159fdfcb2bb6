import { type JsonPath, stepped } from '../rules/json-path.js'

/** A number that a double does not hold to the last digit. */
const long = /(?<=[:[,\s])-?\d[\d.]{15,}(?:[eE][+-]?\d+)?(?=[\s,\]}])/g

/**
 * JSON in one form, whatever the order of its names and its white space: one
 * value a line, without the paths that are left out. Null where it is no JSON
 * or too deep. Numbers of many digits stay as written.
 */
export function jsonText(text: string, ignored: readonly JsonPath[]): string | null {
  try {
    const lines: string[] = []
    write(JSON.parse(text.replace(long, '"$&"')), { paths: ignored, name: '', lines })
    return lines.join('\n')
  } catch {
    return null
  }
}

function write(
  value: unknown,
  { paths, name, lines }: { paths: readonly JsonPath[]; name: string; lines: string[] },
): void {
  if (typeof value !== 'object' || value === null) {
    lines.push(name + JSON.stringify(value))
    return
  }
  const list = Array.isArray(value)
  lines.push(`${name}${list ? '[' : '{'}`)
  const keys = list ? [...value.keys()].map(String) : Object.keys(value).sort()
  for (const key of keys) {
    const below = paths.length === 0 ? paths : stepped(paths, key)
    if (below.some((path) => path.length === 0)) continue
    const inner = (value as Record<string, unknown>)[key]
    write(inner, { paths: below, name: list ? '' : `${JSON.stringify(key)}: `, lines })
  }
  lines.push(list ? ']' : '}')
}
