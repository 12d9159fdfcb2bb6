import { describe, expect, it, onTestFinished } from 'vitest'
import {
  VersionDiffs,
  type VersionDiffsOptions,
  type View,
  whyIncomparable,
} from '../../dist/content/index.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Json } from '../../src/model/units.js'
import { smallPdf } from '../fixtures/small-pdf.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.

const html = 'text/html; charset=utf-8'

function pair(old: string | Uint8Array, young: string | Uint8Array, more: Partial<Asked> = {}) {
  const { type = html, reading = null, noise = null } = more
  const settings = reading === null ? {} : { reading }
  const page = { url: 'http://a.test/', settings, noise } as unknown as PageRecord
  const kept = (content: string | Uint8Array, at: number) => {
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const digest = `${at} ${body.length}`
    return { version: { at, digest, bytes: body.length, mediaType: type, headers: null }, body }
  }
  return { page, before: kept(old, 1e9), after: kept(young, 2e9) }
}

interface Asked {
  readonly type: string
  readonly reading: Json
  readonly noise: Json
  readonly view: View
}

function open(options: VersionDiffsOptions = {}): VersionDiffs {
  const diffs = new VersionDiffs(options)
  onTestFinished(() => diffs.close())
  return diffs
}

/** Changed lines of two contents; the kind of the result where there are none. */
async function changed(
  old: string | Uint8Array,
  young: string | Uint8Array,
  more: Partial<Asked> = {},
): Promise<string | string[]> {
  const { view = 'compared' } = more
  const asked = { view, mostLetters: 1e6, mostEdits: 1000 }
  const found = await open().lines(pair(old, young, more), asked)
  if (found.kind !== 'lines') return found.kind
  const lines = found.lines.filter(({ kind }) => kind !== 'same')
  return lines.map(({ kind, text }) => `${kind === 'removed' ? '-' : '+'} ${text}`)
}

describe('what is shown between two versions', () => {
  const old = '<title>Old</title><p>one</p><p>two two</p><a href="/x?b=2">more</a>'

  it('is the text that counts, without the title; the whole page has it', async () => {
    const young = old.replace('Old', 'New').replace('one', 'uno')
    expect(await changed(old, young)).toEqual(['- one', '+ uno'])
    expect(await changed(old, young, { view: 'whole' })).toEqual([
      '- Old',
      '- one',
      '+ New',
      '+ uno',
    ])
    expect(await changed(old, young, { view: 'source' })).toEqual([`- ${old}`, `+ ${young}`])
  })

  it('is the source where bytes are compared', async () => {
    const young = old.replace('<p>', '<p >')
    expect(await changed(old, young)).toEqual([])
    expect(await changed(old, young, { reading: { compare: 'bytes' } })).toEqual([
      `- ${old}`,
      `+ ${young}`,
    ])
  })

  it('is words and links one by one where their order does not count', async () => {
    const reading = { compare: 'words-and-links' }
    const moved = '<p>two two</p><p>one</p><a href="/x?b=2">more</a>'
    expect(await changed(old, moved)).not.toEqual([])
    expect(await changed(old, moved, { reading })).toEqual([])
    const young = '<p>two</p><p>one</p><a href="/y">more</a><a href="/y">new</a>'
    expect((await changed(old, young, { reading })).toString().split(',').sort()).toEqual([
      '+ http://a.test/y',
      '+ new',
      '- http://a.test/x?b=2',
      '- two',
    ])
  })

  it('is without what rules leave out and masks cover', async () => {
    const mask = { kind: 'time', before: ['at'], after: [], example: '12:00' }
    const noise = { masks: [mask], confirmed: 0, varied: {} }
    const text = (word: string, time: string) => `<p>made at ${time}</p><p>now ${word}</p>`
    const more = { noise, reading: { ignoreText: ['now'] } }
    expect(await changed(text('one', '12:00'), text('two', '12:01'), more)).toEqual([
      '- one',
      '+ two',
    ])
    // A word that is waited for counts also where a mask was.
    const waits = { noise, reading: { appear: ['12:01'] } }
    expect(await changed(text('one', '12:00'), text('one', '12:01'), waits)).toEqual([
      '- made at 12:00',
      '+ made at 12:01',
    ])
  })

  it('is the text of a PDF, the items of a feed, and nothing of a picture', async () => {
    const pdf = { type: 'application/pdf' }
    expect(await changed(smallPdf('One', 1), smallPdf('Two', 2), pdf)).toEqual(['- One', '+ Two'])
    const feed = (title: string, built: number) =>
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:updated>${built}</a:updated><a:entry><a:title>${title}</a:title></a:entry></a:feed>`
    const atom = { type: 'application/atom+xml' }
    expect(await changed(feed('A', 1), feed('B', 2), atom)).toEqual([
      '- A | - | - | -',
      '+ B | - | - | -',
    ])
    expect(await changed('\0a', '\0b', { type: 'image/png' })).toBe('no-text')
    expect(await changed('<p></p>', '<p> </p>')).toBe('no-text')
    expect(await changed('<p></p>', '<p>text</p>')).toEqual(['+ text'])
  })

  it('says which copy the rules cannot read', async () => {
    const found = await open().change(pair('<p>a</p>', '<b>b</b>', { reading: { select: ['b'] } }))
    expect(found).toEqual({
      title: null,
      kind: 'unreadable',
      at: 1e9,
      reason: 'nothing on the page is selected by b',
    })
  })
})

describe('a difference that takes too long', () => {
  // A megabyte of text takes longer than a millisecond to read.
  const long = Array.from({ length: 100_000 }, (_, i) => `<p>line ${i}</p>`).join('')

  it('is given up and says so, and this thread goes on meanwhile', async () => {
    const diffs = open({ time: 0.001 })
    const found = await diffs.change(pair(long, `${long}x`))
    expect(found).toMatchObject({ kind: 'unreadable', at: null })
    expect(found.kind === 'unreadable' && whyIncomparable(found)).toBe(
      'the difference could not be found: reading it took longer than 0.001 s',
    )
  })

  it('is found on a thread of its own: this one has its turns', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    const found = await open({ time: 30 }).change(pair(long, long.replaceAll('line', 'row')))
    clearInterval(timer)
    expect(found.kind).not.toBe('unreadable')
    expect(turns).toBeGreaterThan(5)
  })
})
