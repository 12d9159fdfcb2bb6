import { cut } from '../../formats/printable-text.js'
import { InputError } from '../../model/errors.js'
import { channelKind, jsonPost, plainToken } from './kind.js'

/** ntfy turns longer messages into attachments; so many letters stay below it in any script. */
const mostMessage = 1000

/**
 * A topic of an ntfy server, as JSON to the root of the server: titles of
 * pages never become headers. https://docs.ntfy.sh/publish/#publish-as-json
 */
export const ntfy = channelKind({
  kind: 'ntfy',
  label: 'ntfy',
  help: 'Subscribe to a topic of your own in the ntfy app; anyone who knows its name can read it.',
  fields: {
    url: { type: 'address', label: 'Address of the topic', help: 'https://ntfy.sh/my-topic' },
    token: {
      type: 'text',
      label: 'Access token',
      optional: true,
      secret: true,
      pattern: plainToken,
    },
    priority: { type: 'number', label: 'Priority', optional: true, least: 1, most: 5 },
  },
  schemes: ['ntfy', 'ntfys'],
  example: 'ntfys://ntfy.example.org/TOPIC',
  fromAddress: ({ scheme, user, password, host, path }) => {
    const topic = path.at(-1)
    const token = password ?? user
    const server =
      topic === undefined ? 'https://ntfy.sh' : `${scheme === 'ntfys' ? 'https' : 'http'}://${host}`
    return {
      url: `${server}/${encodeURIComponent(topic ?? host)}`,
      ...(token === null ? {} : { token }),
    }
  },
  check: ({ url }) => {
    if (!/^\/(?:.*\/)?[-\w]{1,64}$/.test(new URL(url).pathname))
      throw new InputError(
        'bad-channel',
        'an ntfy address ends in a topic, such as https://ntfy.sh/my-topic',
      )
  },
  leadsTo: ({ url }) => url,
  request: ({ url, token, priority }, { title, body, link }) => {
    const place = new URL(url)
    const parts = place.pathname.split('/')
    const topic = parts.pop()!
    return jsonPost(
      `${place.origin}${parts.join('/')}/`,
      {
        topic,
        title,
        message: cut(body, mostMessage),
        ...(link === null ? {} : { click: link }),
        ...(priority === undefined ? {} : { priority }),
      },
      { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    )
  },
})
