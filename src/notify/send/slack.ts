import { cut } from '../../formats/printable-text.js'
import { channelKind, hostOfAddress, jsonPost } from './kind.js'

/** Of a header and a section, by Slack's reference of blocks. */
const [mostHeader, mostSection] = [150, 3000]

/**
 * An incoming webhook of Slack. Texts of pages go into plain_text blocks, in
 * which nothing is a link or a mention; https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const slack = channelKind({
  kind: 'slack',
  label: 'Slack',
  help: 'In Slack: an app with Incoming Webhooks switched on, Add New Webhook, copy its address.',
  fields: {
    url: {
      type: 'address',
      label: 'Webhook address',
      secret: true,
      help: 'https://hooks.slack.com/services/...',
    },
  },
  schemes: ['slack'],
  example: 'slack://TOKEN-A/TOKEN-B/TOKEN-C',
  fromAddress: ({ host, path: [b, c] }) =>
    b === undefined || c === undefined
      ? null
      : {
          url: `https://hooks.slack.com/services/${[host, b, c].map(encodeURIComponent).join('/')}`,
        },
  leadsTo: hostOfAddress,
  request: ({ url }, { title, body, link }) => {
    const plain = (text: string, most: number) => ({
      type: 'plain_text',
      text: cut(text, most),
      emoji: false,
    })
    const open = { type: 'button', text: plain('See the change', 75), url: link }
    return jsonPost(url, {
      text: escaped(cut(title, 300)),
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: plain(title, mostHeader) },
        { type: 'section', text: plain(body || title, mostSection) },
        ...(link === null ? [] : [{ type: 'actions', elements: [open] }]),
      ],
    })
  },
})

/** The three signs of Slack's own markup. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
