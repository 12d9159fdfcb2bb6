import { describe, expect, it } from 'vitest'
import { shownSettings } from '../../src/notify/channel.js'
import type { Fields } from '../../src/notify/send/kind.js'
import { type ChannelTarget, channelKinds, withKeptSecrets } from '../../src/notify/send/kinds.js'

/** A target of a kind with every field set, secrets as a test can find them. */
function whole(kind: string, fields: Fields): ChannelTarget {
  const values = Object.entries(fields).map(([name, { type, secret }]) => {
    if (type === 'number') return [name, 3]
    if (type === 'list') return [name, ['you@example.org']]
    if (type === 'address') return [name, `https://example.org/${secret ? 'a-secret' : 'open'}`]
    return [name, secret ? 'a-secret-of-16-letters' : 'open']
  })
  return { kind, ...Object.fromEntries(values) } as ChannelTarget
}

describe.each(channelKinds.map(({ kind, fields }) => ({ kind, fields: fields as Fields })))(
  'what is shown of $kind',
  ({ kind, fields }) => {
    const target = whole(kind, fields)

    it('has its fields, and no secret', () => {
      const when = { group: 'prices' }
      const shown = shownSettings({ target, when })
      expect(Object.keys(shown.target)).toEqual(['kind', ...Object.keys(fields)])
      expect(shown.when).toEqual(when)
      expect(JSON.stringify(shown)).not.toContain('a-secret')
    })

    it('has no field that it does not declare', () => {
      const more = { ...target, password: 'a-secret' }
      expect(JSON.stringify(shownSettings({ target: more, when: {} }))).not.toContain('a-secret')
    })

    it('sent back as it is shown changes nothing', () => {
      const { target: shown } = shownSettings({ target, when: {} })
      expect(withKeptSecrets(shown, target)).toEqual(target)
      expect(withKeptSecrets({ kind: 'other' }, target)).toEqual({ kind: 'other' })
    })
  },
)

it('leaves out what is not set', () => {
  const target = { kind: 'ntfy', url: 'https://ntfy.sh/topic' } as const
  expect(shownSettings({ target, when: {} })).toEqual({ target, when: {} })
})
