import { expect } from 'vitest'

/** What every SVG of ours owes: tags that close, no hole in a number, text as text, nothing that runs. */
export function expectSound(svg: string): void {
  expect(unclosed(svg)).toBeNull()
  // Text is escaped, so what is left of < and > belongs to tags.
  expect(svg.replace(/<\/?[a-z]+\d?( [^<>]*)?\/?>/gi, '')).not.toMatch(/[<>]/)
  const tags = svg.match(/<[a-z][^<>]*>/gi)!.join('')
  expect(tags).not.toMatch(/NaN|Infinity|undefined|null/)
  expect(tags).not.toMatch(/<script|javascript:|\son[a-z]+=/i)
}

/** The first tag that does not close, or closes what is not open. */
function unclosed(svg: string): string | null {
  const open: string[] = []
  for (const [tag, closing, name, alone] of svg.matchAll(/<(\/?)([a-z]+\d?)[^<>]*?(\/?)>/gi)) {
    if (alone === '/') continue
    if (closing !== '/') open.push(name!)
    else if (open.pop() !== name) return tag
  }
  return open.pop() ?? null
}
