import { cut } from '../../formats/printable-text.js'
import { channelKind, hostOfAddress, jsonPost, withoutMarkdown } from './kind.js'

/** Of a post, by Mattermost's default. */
const mostText = 16_000

/** An incoming webhook of Mattermost. https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost = channelKind({
  kind: 'mattermost',
  label: 'Mattermost',
  help: 'In Mattermost: Integrations, Incoming Webhooks, Add, copy its address.',
  fields: {
    url: {
      type: 'address',
      label: 'Webhook address',
      secret: true,
      help: 'https://mattermost.example.org/hooks/...',
    },
    channel: { type: 'text', label: 'Channel', optional: true, pattern: '^[@\\w.-]{1,100}$' },
  },
  schemes: ['mmost', 'mmosts'],
  example: 'mmosts://mattermost.example.org/HOOK-KEY',
  fromAddress: ({ scheme, host, path, query: { channel } }) => {
    const key = path.at(-1)
    if (key === undefined) return null
    const server = `${scheme === 'mmosts' ? 'https' : 'http'}://${host}`
    const before = path
      .slice(0, -1)
      .map((part) => `/${encodeURIComponent(part)}`)
      .join('')
    return {
      url: `${server}${before}/hooks/${encodeURIComponent(key)}`,
      ...(channel === undefined ? {} : { channel }),
    }
  },
  leadsTo: ({ url, channel }) =>
    channel === undefined ? hostOfAddress({ url }) : `${channel} at ${hostOfAddress({ url })}`,
  request: ({ url, channel }, { title, body, link }) => {
    const head = `**${withoutMarkdown(cut(title, 300))}**`
    const end = link === null ? '' : `\n\n<${link}>`
    const text = cut(withoutMarkdown(body), mostText - head.length - end.length)
    return jsonPost(url, {
      text: `${head}\n\n${text}${end}`,
      ...(channel === undefined ? {} : { channel }),
    })
  },
})
