import { diffWords } from 'diff'
import { describe, expect, it } from 'vitest'
import { escapeMarkup } from '../../../src/formats/printable-text.js'
import { catalogue } from '../../../src/lab/demo-web/catalogue.js'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { articleOf } from '../../../src/lab/demo-web/page-text.js'

const pages = catalogue({ seed: 3, pages: 30, origin: demoOrigin }).flat()

describe('articleOf', () => {
  it('is another text at each version, and each edits a little', () => {
    for (const page of pages.slice(0, 6)) {
      const texts = Array.from({ length: 200 }, (_, version) => {
        const { headline, paragraphs } = articleOf(page, { seed: 3, version })
        return [headline, ...paragraphs].join('\n')
      })
      expect(new Set(texts).size).toBe(200)
      for (let version = 1; version < 40; version++) {
        const parts = diffWords(texts[version - 1]!, texts[version]!)
        const kept = parts.filter((part) => !part.added && !part.removed)
        expect(kept.reduce((sum, part) => sum + part.value.length, 0)).toBeGreaterThan(
          0.6 * texts[version]!.length,
        )
      }
    }
  })

  it('depends on seed, page and version alone, at any version', () => {
    const [one, two] = pages
    const at = { seed: 3, version: 1e9 + 1 }
    expect(articleOf(one!, at)).toEqual(articleOf(one!, at))
    expect(articleOf(one!, at)).not.toEqual(articleOf(two!, at))
    expect(articleOf(one!, at)).not.toEqual(articleOf(one!, { ...at, seed: 4 }))
  })
})

describe('escapeMarkup', () => {
  it('leaves no mark that HTML or XML would read', () => {
    expect(escapeMarkup(`<a b="c" d='e'>&</a>`)).toBe(
      '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&lt;/a&gt;',
    )
  })
})
