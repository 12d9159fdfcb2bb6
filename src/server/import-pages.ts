import { Compile } from 'typebox/compile'
import { newPages, type RefusedPage } from './added-pages.js'
import { invalidDetails, invalidText } from './invalid-request.js'
import { NewPageBody } from './schema/pages.js'
import type { Static } from './schema/words.js'
import type { ServiceParts } from './service-parts.js'
import { textLines } from './text-lines.js'

type Asked = Static<typeof NewPageBody>

/** Pages added in one transaction. */
const batch = 1000
/** Refusals that are told one by one. */
const told = 100

export interface ImportedPages {
  added: number
  already: number
  refused: number
  problems: (RefusedPage & { readonly line: number })[]
}

const page = Compile(NewPageBody)

/** Follows pages from lines: an address each, or a JSON object as `GET /api/export/pages` writes it. */
export async function importPages(
  chunks: AsyncIterable<Uint8Array>,
  parts: ServiceParts,
): Promise<ImportedPages> {
  const result: ImportedPages = { added: 0, already: 0, refused: 0, problems: [] }
  let waiting: Asked[] = []
  let line = 0
  for await (const text of textLines(chunks)) {
    line++
    if (text.trim() === '' || text.startsWith('#')) continue
    const { asked, refused } = read(text, parts)
    if (refused === undefined) waiting.push(asked)
    else if (++result.refused <= told) result.problems.push({ ...refused, line })
    if (waiting.length < batch) continue
    await add(waiting, { parts, result })
    waiting = []
  }
  await add(waiting, { parts, result })
  return result
}

function read(
  text: string,
  parts: ServiceParts,
): { asked: Asked; refused?: undefined } | { asked?: undefined; refused: RefusedPage } {
  const asked = text.trimStart().startsWith('{') ? parsed(text) : { url: text.trim() }
  if (asked === undefined) return badLine(text, 'this line is neither an address nor JSON')
  if (!page.Check(asked)) return badLine(text, whyNot(asked))
  const [refused] = newPages([asked], parts).refused
  return refused === undefined ? { asked } : { refused }
}

function badLine(text: string, message: string): { refused: RefusedPage } {
  return { refused: { url: text.slice(0, 200), code: 'bad-line', message } }
}

function whyNot(asked: unknown): string {
  return `this line is no page: ${invalidText(invalidDetails(page.Errors(asked), NewPageBody))}`
}

/** What an export has beside what a new page may have is left out; hidden headers too. */
function parsed(text: string): unknown {
  try {
    const { url, group, importance, settings } = JSON.parse(text) as Record<string, unknown>
    const { headers: _, ...others } = (settings ?? {}) as Record<string, unknown>
    const all = { url, group, importance, settings: others }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  } catch {
    return undefined
  }
}

async function add(
  asked: readonly Asked[],
  { parts, result }: { parts: ServiceParts; result: ImportedPages },
): Promise<void> {
  if (asked.length === 0) return
  const { store, collection, clock } = parts
  const { pages } = newPages(asked, parts)
  const { added, already } = await store.addPages({ collection, pages, now: clock.now() })
  result.added += added
  result.already += already
}
