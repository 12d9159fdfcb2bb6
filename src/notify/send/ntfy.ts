import { cut } from '../../formats/printable-text.js'
import type { NtfyTarget } from '../channel.js'
import type { Send } from '../delivery.js'
import { noticeLine, noticeText } from '../notice.js'
import type { GuardedPost } from './guarded-post.js'

/** ntfy turns longer messages into attachments; so many letters stay below it in any script. */
const mostMessage = 1000

/**
 * Sends each notice to a topic, as JSON to the root of the server: titles of
 * pages never become headers. https://docs.ntfy.sh/publish/#publish-as-json
 */
export function ntfySender(
  { url, token, priority }: NtfyTarget,
  { post }: { readonly post: GuardedPost },
): Send {
  const place = new URL(url)
  const parts = place.pathname.split('/')
  const topic = parts.pop()!
  const root = `${place.origin}${parts.join('/')}/`
  return ([numbered]) => {
    const { notice } = numbered!
    const body = JSON.stringify({
      topic,
      title: noticeLine(notice),
      message: cut(noticeText(notice), mostMessage),
      ...(notice.type === 'test' ? {} : { click: notice.page.url }),
      ...(priority === undefined ? {} : { priority }),
    })
    const authorization: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` }
    return post.send({
      url: root,
      body,
      headers: { 'content-type': 'application/json', ...authorization },
    })
  }
}
