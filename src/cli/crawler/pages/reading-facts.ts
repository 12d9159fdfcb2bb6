import { type Mask, noiseOf, type ReadingRules } from '../../../crawl/index.js'
import { shown } from '../../../formats/index.js'
import type { PageRecord } from '../../../model/index.js'

const names: Readonly<Record<keyof ReadingRules, string>> = {
  compare: 'compared by',
  bits: 'bits apart',
  select: 'only',
  ignore: 'without',
  ignoreText: 'without text',
  ignoreLines: 'without lines',
  ignorePaths: 'without paths',
  appear: 'when appears',
  disappear: 'when goes',
}

/** How a page is read, where that is not the usual way, and what is masked on it. */
export function readingFacts({ settings, noise }: PageRecord): Array<[string, string | null]> {
  const rules = Object.entries((settings.reading ?? {}) as ReadingRules)
  const { masks } = noiseOf(noise)
  return [
    ...rules.map(([name, value]): [string, string] => [
      names[name as keyof ReadingRules] ?? name,
      shown(Array.isArray(value) ? value.join('  ') : String(value)),
    ]),
    ['noise check', settings.noiseCheck === true ? 'on' : 'off'],
    ...masks.map((mask): [string, string] => ['masked', maskText(mask)]),
  ]
}

const kinds: Readonly<Record<Mask['kind'], string>> = {
  time: 'a time',
  id: 'an id',
  elapsed: 'a duration',
  run: 'words that rotate',
  link: 'a part of a link',
}

/** `a time after "It is": 12:03:55`. */
function maskText(mask: Mask): string {
  const before = mask.before.filter((each) => each.trim() !== '').join(' ')
  const after = mask.after.filter((each) => each.trim() !== '').join(' ')
  const place =
    before !== '' ? ` after ${inQuotes(before)}` : after !== '' ? ` before ${inQuotes(after)}` : ''
  return shown(`${kinds[mask.kind]}${place}: ${mask.example.replace(/\s+/g, ' ').slice(0, 60)}`)
}

/** Sources of JSON and script have quotes themselves: `'"time":"'`. */
function inQuotes(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`
}
