import { describe, expect, it } from 'vitest'
import { isOwnSite } from '../../src/fetch/page-headers.js'

describe('isOwnSite', () => {
  it.each([
    ['http://a.example/p', 'http://a.example/q?x', true],
    ['http://a.example/p', 'http://A.example:80/', true],
    ['https://a.example/p', 'https://a.example/', true],
    ['http://a.example/p', 'https://a.example/p', true],
    ['https://a.example/p', 'http://a.example/p', false],
    ['https://a.example/p', 'https://a.example:8443/p', false],
    ['http://a.example/p', 'https://a.example:8443/p', false],
    ['http://a.example/p', 'http://b.example/p', false],
    ['http://a.example/p', 'https://b.example/p', false],
    ['http://a.example/p', 'http://www.a.example/p', false],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:2/', false],
    // Their origins are all "null".
    ['data:,a', 'data:,b', false],
    ['no address', 'no address', false],
  ])('what belongs to %s at %s: %s', (home, url, own) => {
    expect(isOwnSite({ url, home })).toBe(own)
  })
})
