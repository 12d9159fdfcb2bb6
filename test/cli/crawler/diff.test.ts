import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chosenVersions, diffText, wordsText } from '../../../src/cli/commands/diff.js'
import { lineDiff } from '../../../src/content/text-diff.js'

const plain = { colour: false }

describe('lineDiff', () => {
  it('gives back both texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b c', 'b d', '', 'x y z')).map((l) => l.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after)
        const side = (kind: string) =>
          lines
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map((line) => line.text)
            .join('\n')
        expect(side('removed')).toBe(before)
        expect(side('added')).toBe(after)
        for (const { words, text } of lines) expect(words.map((w) => w.text).join('')).toBe(text)
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  it('marks the words that changed in a line', () => {
    const lines = lineDiff('the old text', 'the new text')
    expect(lines.map(({ kind, words }) => [kind, words.filter((w) => w.changed)])).toEqual([
      ['removed', [{ text: 'old', changed: true }]],
      ['added', [{ text: 'new', changed: true }]],
    ])
  })

  it('is bounded on texts that have nothing in common', () => {
    const long = (sign: string) =>
      Array.from({ length: 20_000 }, (_, i) => `${sign}${i}`).join('\n')
    expect(lineDiff(long('a'), long('b'))).toHaveLength(40_000)
  })

  // It threw: each run of lines was one call with as many arguments.
  it('compares texts of 140,000 lines, alike, changed or replaced', () => {
    const lines = Array.from({ length: 140_000 }, (_, i) => `line ${i}`)
    const changed = lines.with(70_000, 'line of news')
    const kinds = (young: readonly string[]) => {
      const counts = { same: 0, removed: 0, added: 0 }
      for (const { kind } of lineDiff(lines.join('\n'), young.join('\n'))) counts[kind]++
      return counts
    }
    expect(kinds(lines)).toEqual({ same: 140_000, removed: 0, added: 0 })
    expect(kinds(changed)).toEqual({ same: 139_999, removed: 1, added: 1 })
    const other = lines.map((each) => `${each} x`)
    expect(kinds(other)).toEqual({ same: 0, removed: 140_000, added: 140_000 })
    expect(kinds([])).toEqual({ same: 0, removed: 140_000, added: 0 })
  })

  // Half a minute before: each pair of lines was compared word by word, however many.
  it('is bounded on lines of 300 words that have nothing in common', () => {
    const text = (sign: string) =>
      Array.from({ length: 300 }, (_, line) =>
        Array.from({ length: 300 }, (_, i) => `${sign}${line * 300 + i}`).join(' '),
      )
    const [old, young] = [text('a'), text('b')]
    const start = ['one old word']
    const lines = lineDiff([...start, ...old].join('\n'), ['one new word', ...young].join('\n'))
    expect(lines.map(({ text }) => text)).toEqual([...start, ...old, 'one new word', ...young])
    // What the steps reach is still told word by word.
    expect(lines[0]!.words.filter(({ changed }) => changed)).toEqual([
      { text: 'old', changed: true },
    ])
  })
})

describe('diffText', () => {
  const lines = lineDiff(
    '1\n2\n3\n4\n5\nold word\n7\n8\n9\n10\n11',
    '1\n2\n3\n4\n5\nnew word\n7\n8\n9\n10\n11',
  )

  it('shows changes with some lines around them', () => {
    expect(diffText(lines, plain)).toBe(
      '  ...\n  3\n  4\n  5\n- old word\n+ new word\n  7\n  8\n  9\n  ...\n',
    )
    expect(diffText(lineDiff('a', 'a'), plain)).toBe('')
  })

  it('is coloured at a terminal, the changed words most', () => {
    const text = diffText(lines, { colour: true })
    expect(text).toContain('\u001b[31m- \u001b[1;7mold\u001b[22;27m word\u001b[0m\n')
    expect(text).toContain('\u001b[32m+ \u001b[1;7mnew\u001b[22;27m word\u001b[0m\n')
  })
})

describe('wordsText', () => {
  const words = (before: string, after: string, colour = false) =>
    wordsText(lineDiff(before, after), { colour })

  it('has both in their place, in one line', () => {
    expect(words('1\n2\n3\n4\nan old word\n5', '1\n2\n3\n4\na new word, too\n5')).toBe(
      '2\n3\n4\n[-an-]{+a+} [-old-]{+new+} word{+, too+}\n5\n',
    )
    expect(words('10', '12')).toBe('[-10-]{+12+}\n')
    expect(words('same', 'same')).toBe('')
  })

  it('pairs lines with those in their place, and tells the others whole', () => {
    expect(words('one a\none b\none c\nend', 'two a\ntwo b\nend')).toBe(
      '[-one-]{+two+} a\n[-one-]{+two+} b\n[-one c-]\nend\n',
    )
    expect(words('a', 'a\nb')).toBe('a\n{+b+}\n')
  })

  it('is coloured at a terminal', () => {
    expect(words('old word', 'new word', true)).toBe(
      '\u001b[31mold\u001b[0m\u001b[32mnew\u001b[0m word\n',
    )
  })

  it('holds both texts, whatever they are', () => {
    const line = fc.array(fc.constantFrom('a', 'b', 'c d', 'x'), { minLength: 1, maxLength: 4 })
    const text = fc.array(
      line.map((each) => each.join(' ')),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before.join() !== after.join())
        const lines = words(before.join('\n'), after.join('\n')).trimEnd().split('\n')
        const without = (mark: RegExp, kept: RegExp) =>
          lines.map((each) => each.replace(mark, '').replace(kept, '$1')).filter((each) => each)
        expect(without(/\{\+.*?\+\}/g, /\[-(.*?)-\]/g)).toEqual(before)
        expect(without(/\[-.*?-\]/g, /\{\+(.*?)\+\}/g)).toEqual(after)
      }),
      { seed: 5, numRuns: 300 },
    )
  })
})

describe('chosenVersions', () => {
  const versions = [100_000, 200_000, 300_000].map((at) => ({
    at,
    digest: String(at),
    bytes: 1,
    mediaType: null,
    headers: null,
  }))
  const times = (...named: string[]) => {
    const { before, after } = chosenVersions(versions, named)
    return [before.at, after.at]
  }

  it('takes the newest two, numbers, or times', () => {
    expect(times()).toEqual([200_000, 300_000])
    expect(times('1')).toEqual([100_000, 300_000])
    expect(times('1', '2')).toEqual([100_000, 200_000])
    expect(times('250000', '1970-01-04')).toEqual([200_000, 200_000])
    expect(() => times('4')).toThrow(/1 to 3/)
    expect(() => times('50000')).toThrow(/no copy from 50000 or before/)
    expect(() => chosenVersions(versions.slice(0, 1), [])).toThrow(/only one copy/)
  })
})
