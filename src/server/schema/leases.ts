import { Type } from 'typebox'
import { Count, Duration, exactly, oneOf, orNull, PageId, Time } from './words.js'

const Worker = Type.String({
  pattern: '^[\\w.:@-]{1,100}$',
  description: 'names the fetcher; leases can be given back by it',
})
const Ttl = Type.Number({ minimum: 1, maximum: 86_400, description: 'seconds; 300 unless said' })

export const LeaseBody = exactly({
  worker: Worker,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '10 unless said' })),
  host: Type.Optional(
    Type.String({ minLength: 1, maxLength: 300, description: 'only pages of this host' }),
  ),
  perHost: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'pages of one host at a time, over all fetchers; 1 unless said',
    }),
  ),
  ttl: Type.Optional(Ttl),
})

export const LeaseAnswer = Type.Object(
  {
    page: Type.String(),
    url: Type.String({ description: 'what to fetch' }),
    host: Type.String({
      description: 'of the page; `url` is on another where the page has moved there',
    }),
    group: Type.Optional(Type.String()),
    importance: Type.Number(),
    token: Type.Integer({ description: 'proof of the lease, for the report' }),
    expiresAt: Time,
    notBefore: Type.Number({ description: 'do not ask the host of `url` before (Unix seconds)' }),
    delay: Type.Number({
      description: 'seconds to rest after the answer before the next request to the host of `url`',
    }),
    robots: oneOf(['allowed', 'unknown']),
    validators: Type.Object({
      etag: Type.Optional(Type.String()),
      lastModified: Type.Optional(Type.String()),
    }),
    unconditional: Type.Boolean({ description: 'ask for the content in any case' }),
    headers: Type.Record(Type.String(), Type.String()),
  },
  { title: 'Lease' },
)

export const LeasesAnswer = Type.Object({
  leases: Type.Array(LeaseAnswer),
  next: orNull(
    Type.Number({ description: 'when it is worth asking the same again; null if never' }),
  ),
})

const LeaseNames = Type.Array(
  exactly({
    page: PageId,
    token: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  { minItems: 1, maxItems: 1000 },
)

export const ExtendBody = exactly({ leases: LeaseNames, ttl: Type.Optional(Ttl) })
export const ExtendAnswer = Type.Object({
  extended: Type.Array(
    Type.Object({ page: Type.String(), token: Type.Integer(), held: Type.Boolean() }),
  ),
  expiresAt: Time,
})
export const ReleaseBody = Type.Union([
  exactly({ leases: LeaseNames }),
  exactly({ worker: Worker }),
])
export const ReleaseAnswer = Type.Object({ released: Count })

export const faults = [
  'timeout',
  'dns',
  'connect',
  'tls',
  'reset',
  'too-large',
  'bad-answer',
  'redirect-loop',
  'too-many-redirects',
  'redirect-refused',
  'address-refused',
  'aborted',
  'robots',
] as const

export const ReportBody = exactly({
  page: PageId,
  token: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  at: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e11,
      description: 'when the answer came; now unless said. A report sent again must say it',
    }),
  ),
  duration: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400 })),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  failure: Type.Optional(oneOf(faults)),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 8000 })),
  ),
  bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  digest: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'compared with the one before' }),
  ),
  text: Type.Optional(Type.String({ description: 'what a reader sees; kept and compared' })),
  body: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      description:
        'the bytes of the content, in base64; kept, read and compared as our own visits are',
    }),
  ),
  movedTo: Type.Optional(
    Type.String({ minLength: 1, maxLength: 8000, description: 'where it has moved for good' }),
  ),
})

export const ReportAnswer = Type.Object({
  fate: oneOf(['recorded', 'already']),
  outcome: Type.String(),
  at: Time,
  due: Type.Object({ at: Type.Union([Time, Type.Literal('never')]), reason: Type.String() }),
  delay: Duration,
})
