import { cut } from '../../formats/printable-text.js'
import { channelKind, hostOfAddress, jsonPost, withoutMarkdown } from './kind.js'

/** Of an embed, by Discord's reference. */
const [mostTitle, mostDescription] = [256, 4096]

/** A webhook of Discord; nobody is mentioned, whatever a page says. https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord = channelKind({
  kind: 'discord',
  label: 'Discord',
  help: 'In Discord: Edit Channel, Integrations, Webhooks, Copy Webhook URL.',
  fields: {
    url: {
      type: 'address',
      label: 'Webhook address',
      secret: true,
      help: 'https://discord.com/api/webhooks/...',
    },
  },
  schemes: ['discord'],
  example: 'discord://WEBHOOK-ID/WEBHOOK-TOKEN',
  fromAddress: ({ host, path: [token] }) =>
    token === undefined
      ? null
      : {
          url: `https://discord.com/api/webhooks/${encodeURIComponent(host)}/${encodeURIComponent(token)}`,
        },
  leadsTo: hostOfAddress,
  request: ({ url }, { title, body, link }) =>
    jsonPost(url, {
      embeds: [
        {
          title: cut(withoutMarkdown(title), mostTitle),
          description: cut(withoutMarkdown(body), mostDescription),
          ...(link === null ? {} : { url: link }),
        },
      ],
      allowed_mentions: { parse: [] },
    }),
})
