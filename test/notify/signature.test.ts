import { describe, expect, it } from 'vitest'
import { isSigned, signature } from '../../src/notify/send/webhook.js'

const secret = 'a secret of 22 letters'
const at = 1_700_000_000.9
const body = '{"id":"1"}'

describe('the signature of a webhook', () => {
  // Reference: python3 -c "import hmac;print(hmac.new(b'a secret of 22 letters',
  //   b'1700000000.{\"id\":\"1\"}','sha256').hexdigest())"
  it('is the HMAC-SHA256 of time and body', () => {
    expect(signature({ secret, at, body })).toBe(
      `t=1700000000,v1=95429e47bffdc99b47ec59308f292b798a1fe4be54cce2182bc330c4fb85d360`,
    )
  })

  it('is valid only with the secret, the body and the time', () => {
    const header = signature({ secret, at, body })
    const good = { secret, header, body, now: at + 10 }
    expect(isSigned(good)).toBe(true)
    expect(isSigned({ ...good, secret: `${secret}!` })).toBe(false)
    expect(isSigned({ ...good, body: `${body} ` })).toBe(false)
    expect(isSigned({ ...good, now: at + 301 })).toBe(false)
    expect(isSigned({ ...good, now: at - 400 })).toBe(false)
    expect(isSigned({ ...good, header: header.replace('t=17', 't=18') })).toBe(false)
    for (const bad of ['', 't=1', header.slice(0, -1), `${header}0`, header.toUpperCase()])
      expect(isSigned({ ...good, header: bad })).toBe(false)
  })
})
