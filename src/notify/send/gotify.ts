import { cut } from '../../formats/printable-text.js'
import { webServer } from './apprise-address.js'
import { channelKind, hostOfAddress, jsonPost, plainToken } from './kind.js'

/** An application of a Gotify server. https://gotify.net/docs/pushmsg, https://gotify.net/docs/msgextras */
export const gotify = channelKind({
  kind: 'gotify',
  label: 'Gotify',
  help: 'In Gotify: Apps, Create Application, copy its token.',
  fields: {
    url: { type: 'address', label: 'Server', help: 'https://gotify.example.org' },
    token: { type: 'text', label: 'Token', secret: true, pattern: plainToken },
    priority: { type: 'number', label: 'Priority', optional: true, least: 0, most: 10 },
  },
  schemes: ['gotify', 'gotifys'],
  example: 'gotifys://gotify.example.org/TOKEN',
  fromAddress: (address) => {
    const { path } = address
    const token = path.at(-1)
    if (token === undefined) return null
    const before = path
      .slice(0, -1)
      .map((part) => `/${encodeURIComponent(part)}`)
      .join('')
    return { url: `${webServer(address)}${before}`, token }
  },
  leadsTo: hostOfAddress,
  request: ({ url, token, priority = 5 }, { title, body, link }) =>
    jsonPost(
      `${url.replace(/\/$/, '')}/message`,
      {
        title,
        message: cut(body || title, 10_000),
        priority,
        extras: {
          'client::display': { contentType: 'text/plain' },
          ...(link === null ? {} : { 'client::notification': { click: { url: link } } }),
        },
      },
      { headers: { 'x-gotify-key': token } },
    ),
})
