import { describe, expect, it } from 'vitest'
import { readOpml } from '../../src/formats/opml.js'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('readOpml', () => {
  // By hand, after the example of opml.org/spec2.opml.
  it('lists what has an address, in folders or not', () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?><opml version="2.0"><head><title>t</title></head><body>
      <outline text="Folder"><outline text="A &amp; B" title="News" xmlUrl="https://a.test/feed" htmlUrl="https://a.test/"/></outline>
      <outline text="Plain" type="link" URL="https://b.test/"/><outline text="Nothing"/></body></opml>`
    expect(readOpml(bytes(text))).toEqual([
      { title: 'News', feedUrl: 'https://a.test/feed', pageUrl: 'https://a.test/' },
      { title: 'Plain', feedUrl: null, pageUrl: 'https://b.test/' },
    ])
  })

  it('is null for what is no OPML', () => {
    expect(readOpml(bytes('<html><outline xmlUrl="x"/></html>'))).toBeNull()
    expect(readOpml(bytes(''))).toBeNull()
  })
})
