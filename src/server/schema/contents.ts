import { Type } from 'typebox'
import { Count, exactly, orNull, PageId, Time } from './words.js'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'digest of a version' })

export const VersionsAnswer = Type.Object({
  versions: Type.Array(
    Type.Object(
      { at: Time, digest: Type.String(), bytes: Count, mediaType: orNull(Type.String()) },
      { title: 'Version' },
    ),
  ),
})

export const VersionParams = exactly({ id: PageId, digest: Digest })

export const DiffQuery = exactly({
  from: Type.Optional(Digest),
  to: Type.Optional(Digest),
  whole: Type.Optional(
    Type.Boolean({
      description:
        'the whole page with its title, not only what is compared: without selectors, ignored parts and paths, and masks',
    }),
  ),
})

export const DiffAnswer = Type.Object(
  {
    from: orNull(Type.Object({ at: Time, digest: Type.String() })),
    to: orNull(Type.Object({ at: Time, digest: Type.String() })),
    whole: Type.Boolean({ description: 'whether these are lines of the whole page' }),
    note: orNull(Type.String({ description: 'in words, where no line differs' })),
    lines: Type.Array(
      Type.Object({
        kind: Type.Unsafe<'same' | 'removed' | 'added'>({ enum: ['same', 'removed', 'added'] }),
        text: Type.String(),
        words: Type.Array(Type.Object({ text: Type.String(), changed: Type.Boolean() })),
      }),
    ),
  },
  { title: 'Diff' },
)
