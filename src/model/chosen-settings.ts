import type { Json } from './json.js'
import type { PageSettings } from './page-record.js'

/** Settings that a person chose for a page, by name; null takes one away. */
export type ChosenSettings = Readonly<Record<string, Json>>

/** A page's settings with what was chosen now. */
export function withChosen(before: PageSettings, chosen: ChosenSettings): PageSettings {
  const all = Object.entries({ ...before, ...chosen })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}
