import type { Clock } from '../../model/index.js'
import type { WebhookTarget } from '../channel.js'
import type { GuardedPost } from './guarded-post.js'
import type { NumberedNotice, Send } from './sender.js'
import { signature, signatureHeader } from './signature.js'

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
export function webhookBody({ id, notice }: NumberedNotice): string {
  return JSON.stringify({ id, ...notice })
}
