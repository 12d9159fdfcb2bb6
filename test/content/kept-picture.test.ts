import { describe, expect, it } from 'vitest'
import { readHtml } from '../../src/content/html-reading.js'
import { pictureIn, withoutPicture, withPicture } from '../../src/content/kept-picture.js'
import { differingShare } from '../../src/content/pixels.js'
import { picture } from '../fixtures/picture.js'

describe('a screenshot that is kept with its content', () => {
  const html = Buffer.from('<title>T</title><p>text</p>')

  it('comes back, and leaves the content as it was', () => {
    const shot = picture()
    const kept = withPicture(html, shot)
    expect(Buffer.compare(pictureIn(kept)!, shot)).toBe(0)
    expect(Buffer.from(withoutPicture(kept)).toString()).toBe(html.toString())
    const { text } = readHtml(Buffer.from(kept).toString(), { url: 'http://a/', links: false })
    expect(text).toBe('text')
    expect(pictureIn(html)).toBeNull()
    expect(withoutPicture(html)).toBe(html)
  })

  it('is a PNG or nothing: what a page writes there itself is no picture', () => {
    const forged = (inside: string) => Buffer.from(`<p>x\n<!--revisit-screenshot:${inside}-->`)
    for (const inside of [
      '',
      '<script>alert(1)</script>',
      Buffer.from('<svg onload=x>').toString('base64'),
    ])
      expect(pictureIn(forged(inside)), inside).toBeNull()
    // Of several the last counts: ours stands behind what the page wrote.
    const ours = picture()
    const both = withPicture(forged(Buffer.from(picture({ square: 3 })).toString('base64')), ours)
    expect(Buffer.compare(pictureIn(both)!, ours)).toBe(0)
  })
})

describe('pictures compared pixel by pixel', () => {
  it('differ by the share of pixels that are not alike', () => {
    expect(differingShare(picture(), picture())).toBe(0)
    // 10 by 10 of 40 by 25 pixels: a tenth.
    expect(differingShare(picture(), picture({ square: 10 }))).toBeCloseTo(0.1, 2)
  })

  it('count what one has beyond the other', () => {
    // A fifth of the rows is new.
    expect(differingShare(picture({ height: 20 }), picture({ height: 25 }))).toBeCloseTo(0.2, 6)
    expect(differingShare(picture({ width: 32 }), picture({ width: 40 }))).toBeCloseTo(0.2, 6)
  })

  it('cannot be told where one is none, or would be a bomb', () => {
    const bomb = Buffer.from(picture())
    bomb.writeUInt32BE(1_000_000, 16)
    bomb.writeUInt32BE(1_000_000, 20)
    for (const bad of [Buffer.from('no picture'), new Uint8Array(), bomb])
      expect(differingShare(picture(), bad)).toBeNull()
  })
})
