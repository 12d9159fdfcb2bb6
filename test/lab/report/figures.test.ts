import { describe, expect, it } from 'vitest'
import { embedded, figureStyle } from '../../../src/lab/figures/palette.js'
import { sampleFigures } from './sample-figures.js'
import { expectSound } from './well-formed.js'

const names = Object.keys(sampleFigures)

describe('each figure', () => {
  it.each(names)('%s is as stored', async (name) => {
    await expect(sampleFigures[name]!()).toMatchFileSnapshot(`__snapshots__/${name}.svg`)
  })

  it.each(names)('%s has a name and a description, and is sound', (name) => {
    const svg = sampleFigures[name]!()
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" class="revisit-figure" role="img" viewBox="0 0 760 \d+"/,
    )
    expect(svg).toMatch(/<title>[^<]{5,}<\/title><desc>[^<]{5,}<\/desc>/)
    expectSound(svg)
    expect(sampleFigures[name]!()).toBe(svg)
  })

  it.each(names)('%s keeps to the width it is given', (name) => {
    for (const width of [200, 350, 1200]) {
      const svg = sampleFigures[name]!({ width })
      expect(svg).toContain(`viewBox="0 0 ${width} `)
      expectSound(svg)
    }
  })

  it('stands alone with its colours, and leaves them to a page that has them', () => {
    const svg = sampleFigures['line-chart']!()
    expect(svg).toContain(figureStyle)
    expect(svg).toContain('prefers-color-scheme:dark')
    expect(embedded(svg)).not.toContain('<style')
    // Every colour is a variable, or it would not follow the theme.
    expect(embedded(svg)).not.toMatch(/#[0-9a-f]{3,6}\b|rgb\(/i)
  })
})

describe('what they show', () => {
  const text = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, words]) => words)
  const shape = (svg: string, tag: string) => svg.match(new RegExp(`<${tag} `, 'g'))?.length ?? 0

  it('a band that goes in steps where its curve does', () => {
    // By hand: the lower edge stays until the next place, so the band has only level edges and
    // upright ones. Drawn slantwise it rose above the curve before the first place.
    const d = sampleFigures['distribution-chart']!().match(
      /fill-opacity="0.2"[^>]*>\s*<path d="([^"]*)/,
    )
    const corners = d![1]!.match(/[-\d.]+,[-\d.]+/g)!.map((at) => at.split(',').map(Number))
    expect(corners.length).toBeGreaterThan(8)
    for (let i = 1; i < corners.length; i++) {
      const [x, y] = corners[i]!
      const [wasX, wasY] = corners[i - 1]!
      expect(x === wasX || y === wasY).toBe(true)
    }
  })

  it('durations in units a person uses', () => {
    expect(text(sampleFigures['scatter-plot']!())).toEqual(
      expect.arrayContaining([
        '1 day',
        '3 days',
        '1 week',
        'true change period',
        'Table 2',
        'published',
      ]),
    )
    expect(text(sampleFigures['distribution-chart']!())).toContain(
      'time since the last change (days)',
    )
    expect(text(sampleFigures['estimate-sharpening']!())).toContain('3 days')
  })

  it('one mark a visit, in the row of its outcome, and the changes that were dated', () => {
    const svg = sampleFigures['visit-timeline']!()
    expect(text(svg)).toEqual(
      expect.arrayContaining(['changed', 'unchanged', 'first visit', 'not seen', 'dated']),
    )
    expect(text(svg)).toContain(
      '6 visits: 2 found a change, 2 found none, 1 did not see the page, the server dated 2 changes',
    )
    expect(shape(svg, 'circle')).toBe(2)
  })

  it('counts where marks would run together', () => {
    const svg = sampleFigures['visit-counts']!()
    expect(text(svg)).toContain('visits in 24 hours')
    expect(text(svg)).not.toContain('dated')
    // By hand: four visits a day for 75 days, in each of which one or two found a change.
    expect(text(svg)).toEqual(expect.arrayContaining(['0', '1', '2', '3', '4']))
  })

  it('a row for each method, with words where there is no number', () => {
    const rows = text(sampleFigures['method-comparison']!())
    expect(rows).toEqual(
      expect.arrayContaining([
        'bias-reduced',
        '3 days',
        '(5 days)',
        'no Last-Modified',
        'with caution',
      ]),
    )
  })

  it('the busiest hour in words', () => {
    // By hand: 8 of 4 + 5 + 6 + 7 + 8 changes on Friday.
    expect(sampleFigures['hour-of-week']!()).toContain(
      'Busiest: Fri 09:00 to 10:00, with 27% of all changes',
    )
  })

  it('the Poisson curve beside a distribution', () => {
    expect(text(sampleFigures['distribution-chart']!())).toEqual(
      expect.arrayContaining(['this page', '95% bounds', 'Poisson, every 24 hours']),
    )
  })
})
