import { describe, expect, it } from 'vitest'
import { checkPageHeaders } from '../../src/fetch/page-headers.js'

describe('checkPageHeaders', () => {
  it('lets a page have what can be sent', () => {
    const headers = {
      Cookie: 'a=b',
      authorization: 'Basic x',
      'X-Key': 'caf\u00e9\t1',
      Accept: '*/*',
    }
    expect(() => checkPageHeaders(headers)).not.toThrow()
  })

  it.each([
    ['Host', 'x', 'reserved-header', /each visit sets it itself/],
    ['if-none-match', '"1"', 'reserved-header', /leave it out/],
    ['Connection', 'close', 'reserved-header', /leave it out/],
    ['User-Agent', 'other', 'reserved-header', /names Revisit and the contact/],
    ['x', '10 \u20ac', 'bad-header', /ISO 8859-1/],
    ['x', 'a\r\nHost: b', 'bad-header', /no line break/],
    ['a b', 'c', 'bad-header', /cannot be named/],
    ['', 'c', 'bad-header', /cannot be named/],
  ])('refuses %j: %j', (name, value, code, message) => {
    expect(() => checkPageHeaders({ [name]: value })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    )
  })
})
