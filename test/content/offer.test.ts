import { describe, expect, it } from 'vitest'
import { offerIn } from '../../src/content/offer.js'
import { writtenNumber } from '../../src/model/written-number.js'

const page = (body: string) => ({
  kind: 'content' as const,
  status: 200,
  at: 0,
  url: 'https://a.example/',
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: new TextEncoder().encode(body),
  bytesReceived: 0,
})

describe('a number as it is written', () => {
  it.each([
    ['1.299,00', 1299],
    ['1,299.00', 1299],
    ['1 299,00', 1299],
    ["1'299.50", 1299.5],
    ['1,29,900', 129900],
    ['1.299', 1299],
    ['1,299', 1299],
    ['12,5', 12.5],
    ['0.999', 0.999],
    ['1.234.567', 1234567],
    ['1.234.567,89', 1234567.89],
    ['7', 7],
  ])('%s is %d', (text, value) => {
    expect(writtenNumber(text)).toBe(value)
  })
})

describe('the offer of a page', () => {
  it.each([
    ['Price: 1.299,00 € incl. VAT, 3 pieces', 1299, 'EUR'],
    ['now $1,299.99 was $1,500', 1299.99, 'USD'],
    ['12 euros a month', 12, 'EUR'],
    ['CHF 45.50 for 2', 45.5, 'CHF'],
    ['Only 37', 37, null],
  ])('%s', (text, price, currency) => {
    expect(offerIn(page('<p>'), text)).toEqual({ price, currency, inStock: null, from: 'text' })
  })

  it('is none where numbers have no currency', () => {
    expect(offerIn(page('<p>'), 'pages 3 to 7')).toBe(null)
    const article = 'News\nA good article\nThe first paragraph.\nEdition 8 was written by Bert.\n'
    expect(offerIn(page('<p>'), article)).toBe(null)
    expect(offerIn(page('<p>'), null)).toBe(null)
  })

  it('is that of structured data where there is any', () => {
    const data = {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'Product',
          offers: [
            {
              '@type': 'Offer',
              price: '1299.00',
              priceCurrency: 'EUR',
              availability: 'https://schema.org/OutOfStock',
            },
          ],
        },
      ],
    }
    const html = `<script type="application/ld+json">{broken</script><script type="application/ld+json">${JSON.stringify(data)}</script>`
    expect(offerIn(page(html), 'now $5')).toEqual({
      price: 1299,
      currency: 'EUR',
      inStock: false,
      from: 'json-ld',
    })
  })

  it('is not looked for without end', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(offerIn(page(`<script type="application/ld+json">${deep}</script>`), null)).toBe(null)
    expect(offerIn(page('<p>'), `${'1.'.repeat(50_000)} ${'€1 '.repeat(3)}`)).toMatchObject({
      currency: 'EUR',
    })
  })
})
