import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../dist/dashboard/', import.meta.url))
const limit = 150_000

describe('the first view', () => {
  it('is under 150 KB gzipped, with all that it loads', () => {
    const sizes = [...reached('index.html')].map(
      (file) => gzipSync(readFileSync(join(folder, file))).length,
    )
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(sizes.length).toBeGreaterThan(3)
    expect(total).toBeLessThan(limit)
  })

  it('has no script or style within, and asks nobody else', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
    expect(html).not.toMatch(/(src|href)="(?!\.\/)/)
  })
})

/** A file and every one that it needs at once: links, scripts and static imports, not dynamic ones. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (!/\.(html|js)$/.test(file)) return seen
  const text = readFileSync(join(folder, file), 'utf8')
  const pattern = file.endsWith('.html')
    ? /(?:src|href)="\.\/([^"]+)"/g
    : /(?:^|[;}\s])(?:import|export)\b[^;'"()]*?["']\.\/([^"']+)["']/g
  for (const [, target] of text.matchAll(pattern)) reached(join(dirname(file), target!), seen)
  return seen
}
