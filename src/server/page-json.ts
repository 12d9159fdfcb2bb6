import type { Json, PageRecord } from '../model/index.js'

/** Headers may hold passwords: their names are told, their values are not. */
const hidden = '(not shown)'

/** A page for a program: all that is kept of it but for the learner's numbers and secrets. */
export function pageJson(page: PageRecord): Readonly<Record<string, Json | undefined>> {
  const { state: _, settings, validators, ...rest } = page
  const headers = Object.keys(settings.headers ?? {}).map((name) => [name, hidden])
  return {
    ...(rest as unknown as Record<string, Json>),
    validators: { ...validators } as Record<string, string>,
    settings: {
      ...(settings as Record<string, Json>),
      ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    },
  }
}
