import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { WebhookTarget } from '../channel.js'
import type { NumberedNotice, Send } from '../delivery.js'
import type { GuardedPost } from './guarded-post.js'

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

/** Sends each notice as a signed JSON body. */
export function webhookSender(
  { url, secret }: WebhookTarget,
  { post, clock }: { readonly post: GuardedPost; readonly clock: Clock },
): Send {
  return ([numbered]) => {
    const body = webhookBody(numbered!)
    return post.send({
      url,
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'revisit-delivery': numbered!.id,
        [signatureHeader]: signature({ secret, at: clock.now(), body }),
      },
    })
  }
}

/** The same for every try, so that a receiver can tell a second copy by its id. */
function webhookBody({ id, notice }: NumberedNotice): string {
  return JSON.stringify({ id, ...notice })
}
