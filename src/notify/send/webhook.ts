import { createHmac, timingSafeEqual } from 'node:crypto'
import { InputError } from '../../model/errors.js'
import type { Json, Seconds, UnixSeconds } from '../../model/units.js'
import type { NumberedNotice } from '../delivery.js'
import { checkTemplate, filledJson, variablesOf } from '../message.js'
import { channelKind } from './kind.js'

const signatureHeader = 'revisit-signature'

/**
 * The signature of a webhook's body: `t=1700000000,v1=...`, where v1 is the
 * HMAC-SHA256 of the time, a point and the body, under the hook's secret. The
 * time is signed too, so that a message caught on its way is of no use later.
 */
export function signature({
  secret,
  at,
  body,
}: {
  readonly secret: string
  readonly at: UnixSeconds
  readonly body: string
}): string {
  const t = Math.floor(at)
  return `t=${t},v1=${codeOf({ secret, t: String(t), body }).toString('hex')}`
}

/** For receivers: whether a body was signed with the secret, not longer than `tolerance` ago. */
export function isSigned({
  secret,
  header,
  body,
  now,
  tolerance = 300,
}: {
  readonly secret: string
  readonly header: string
  readonly body: string
  readonly now: UnixSeconds
  readonly tolerance?: Seconds
}): boolean {
  const found = /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(header)
  if (found === null) return false
  const [, t = '', given = ''] = found
  const same = timingSafeEqual(codeOf({ secret, t, body }), Buffer.from(given, 'hex'))
  return same && Math.abs(now - Number(t)) <= tolerance
}

function codeOf({ secret, t, body }: { secret: string; t: string; body: string }): Buffer {
  return createHmac('sha256', secret).update(`${t}.${body}`).digest()
}

/**
 * Each notice as a signed JSON body: the whole notice, or a template of one's
 * own, whose texts may name variables. What a page says fills texts and never
 * makes structure.
 */
export const webhook = channelKind({
  kind: 'webhook',
  label: 'Webhook',
  help: 'A JSON body by POST to an address of yours, signed with its secret.',
  fields: {
    url: {
      type: 'address',
      label: 'Address that takes the POST',
      help: 'https://example.org/hook',
    },
    secret: {
      type: 'text',
      label: 'Secret',
      optional: true,
      secret: true,
      least: 16,
      most: 200,
      help: 'signs what is sent, 16 letters or more; made where left out, shown once',
    },
    template: {
      type: 'long-text',
      label: 'JSON of your own',
      optional: true,
      most: 20_000,
      help: 'such as {"text": "{{title}}: {{added}}"}; the whole notice by default',
    },
  },
  schemes: ['json', 'jsons'],
  example: 'jsons://example.org/hook',
  fromAddress: ({ scheme, user, host, path }) =>
    user !== null
      ? null
      : {
          url: `${scheme === 'jsons' ? 'https' : 'http'}://${host}/${path.map(encodeURIComponent).join('/')}`,
        },
  check: ({ template }) => {
    if (template !== undefined) templateJson(template)
  },
  leadsTo: ({ url }) => url,
  sender: ({ url, secret, template }, { post, clock, dashboard }) => {
    const own = template === undefined ? null : templateJson(template)
    return ([numbered]) => {
      const body = webhookBody(numbered!, { own, dashboard })
      return post.send({
        url,
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'revisit-delivery': numbered!.id,
          ...(secret === undefined
            ? {}
            : { [signatureHeader]: signature({ secret, at: clock.now(), body }) }),
        },
      })
    }
  },
})

function templateJson(template: string): Json {
  checkTemplate(template)
  try {
    return JSON.parse(template) as Json
  } catch (cause) {
    const why = (cause as Error).message
    throw new InputError(
      'bad-template',
      `the template of a webhook is JSON, such as {"text": "{{title}}"}: ${why}`,
      { cause },
    )
  }
}

/** The same for every try, so that a receiver can tell a second copy by its id. */
function webhookBody(
  { id, notice }: NumberedNotice,
  { own, dashboard }: { readonly own: Json | null; readonly dashboard: string | null | undefined },
): string {
  return JSON.stringify(
    own === null ? { id, ...notice } : filledJson(own, variablesOf(notice, dashboard)),
  )
}
