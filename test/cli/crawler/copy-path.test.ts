import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CopyPaths } from '../../../src/cli/commands/export.js'

describe('CopyPaths', () => {
  it('follows the address', () => {
    const paths = new CopyPaths()
    expect(paths.pathOf('https://e.org/', 'text/html; charset=utf-8')).toBe('e.org/index.html')
    expect(paths.pathOf('https://e.org/a/b', 'text/html')).toBe('e.org/a/b.html')
    expect(paths.pathOf('https://e.org/a/b.html', 'text/html')).toMatch(/^_other\/\w{10}\.html$/)
    expect(paths.pathOf('https://e.org/data.json', 'application/json')).toBe('e.org/data.json')
    expect(paths.pathOf('https://e.org/?q=1', 'text/html')).toMatch(/^e\.org\/index-\w{10}\.html$/)
    expect(paths.pathOf('http://127.0.0.1/%2e%2e%2fetc', null)).toBe('127.0.0.1/_2e_2e_2fetc')
  })

  it('stays within 200 characters as a whole, and gives long addresses names of their own', () => {
    const paths = new CopyPaths()
    const deep = `https://e.org/${'dd/'.repeat(2500)}`
    const made = [deep, `${deep}x`, `${deep}?q`].map((url) => paths.pathOf(url, 'text/html'))
    for (const path of made) expect(path).toMatch(/^_other\/\w{10}\.html$/)
    expect(new Set(made).size).toBe(3)
    // 'e.org/' and '.html' leave 189 characters.
    const short = `${'a/'.repeat(94)}b`
    expect(paths.pathOf(`https://e.org/${short}`, 'text/html')).toBe(`e.org/${short}.html`)
    expect(paths.pathOf(`https://e.org/${short}b`, 'text/html')).toMatch(/^_other\//)
  })

  it('gives each page a path of its own below the folder', () => {
    const name = fc.constantFrom(
      'a',
      'A',
      '.',
      '..',
      'a.html',
      'con',
      'x'.repeat(300),
      '%00',
      'é',
      '',
    )
    const url = fc
      .tuple(fc.array(name, { maxLength: 4 }), fc.constantFrom('', '?a', '?b'))
      .map(([parts, query]) => new URL(`http://h/${parts.join('/')}${query}`).href)
    fc.assert(
      fc.property(fc.uniqueArray(url, { maxLength: 12 }), (urls) => {
        const paths = new CopyPaths()
        const made = urls.map((each) => paths.pathOf(each, 'text/html').toLowerCase())
        expect(new Set(made).size).toBe(made.length)
        for (const path of made) {
          expect(path).toMatch(/^(h|_other)\/[\w.~@+/-]+$/)
          expect(path.split('/')).not.toContain('..')
          expect(path.split('/')).not.toContain('')
          for (const part of path.split('/')) expect(part.length).toBeLessThan(200)
          expect(path.length).toBeLessThanOrEqual(200)
          // No file is a folder of another.
          for (const other of made) expect(other.startsWith(`${path}/`)).toBe(false)
        }
      }),
      { seed: 1, numRuns: 300 },
    )
  })
})
