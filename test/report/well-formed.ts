import { expect } from 'vitest'

/** What every SVG of ours owes: tags that close, no hole in a number, text as text, nothing that runs. */
export function expectSound(svg: string): void {
  const open: string[] = []
  for (const [, closing, name, alone] of svg.matchAll(/<(\/?)([a-z]+\d?)[^<>]*?(\/?)>/gi)) {
    if (alone === '/') continue
    if (closing === '/') expect(open.pop()).toBe(name)
    else open.push(name!)
  }
  expect(open).toEqual([])
  // Text is escaped, so what is left of < and > belongs to tags.
  expect(svg.replace(/<\/?[a-z]+\d?( [^<>]*)?\/?>/gi, '')).not.toMatch(/[<>]/)
  for (const [tag] of svg.matchAll(/<[a-z][^<>]*>/gi)) {
    expect(tag).not.toMatch(/NaN|Infinity|undefined|null/)
    expect(tag).not.toMatch(/<script|javascript:|\son[a-z]+=/i)
  }
}
