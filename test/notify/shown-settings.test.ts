import { describe, expect, it } from 'vitest'
import { type ChannelTarget, shownSettings } from '../../src/notify/channel.js'

/** A whole target of each kind, and what is shown of it. */
const targets: {
  readonly [Kind in ChannelTarget['kind']]: {
    readonly target: Required<Extract<ChannelTarget, { readonly kind: Kind }>>
    readonly shown: object
  }
} = {
  webhook: {
    target: { kind: 'webhook', url: 'https://example.org/hook', secret: 'a-secret-of-16-letters' },
    shown: { kind: 'webhook', url: 'https://example.org/hook' },
  },
  email: {
    target: { kind: 'email', to: ['you@example.org'], digest: 86_400 },
    shown: { kind: 'email', to: ['you@example.org'], digest: 86_400 },
  },
  ntfy: {
    target: { kind: 'ntfy', url: 'https://ntfy.sh/topic', token: 'tk_a-secret', priority: 4 },
    shown: { kind: 'ntfy', url: 'https://ntfy.sh/topic', token: '(not shown)', priority: 4 },
  },
}

describe('shownSettings', () => {
  it.each(Object.values(targets))('shows the named fields of $target.kind', ({ target, shown }) => {
    const when = { group: 'prices' }
    expect(shownSettings({ target, when })).toEqual({ target: shown, when })
  })

  it.each(Object.values(targets))('shows no field that $target.kind does not name', (each) => {
    const target = { ...each.target, password: 'a-secret' }
    expect(JSON.stringify(shownSettings({ target, when: {} }))).not.toContain('a-secret')
  })

  it('leaves out what is not set', () => {
    const target = { kind: 'ntfy', url: 'https://ntfy.sh/topic' } as const
    expect(shownSettings({ target, when: {} })).toEqual({ target, when: {} })
  })
})
