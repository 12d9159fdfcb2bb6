import { cut } from '../../formats/printable-text.js'
import { channelKind, jsonPost } from './kind.js'

/** By Pushover's reference. */
const [mostTitle, mostMessage, mostLink] = [250, 1024, 512]

/** Pushover, to phones. https://pushover.net/api */
export const pushover = channelKind({
  kind: 'pushover',
  label: 'Pushover',
  help: 'At pushover.net: your user key is on the first page; Create an Application gives the token.',
  fields: {
    user: {
      type: 'text',
      label: 'User or group key',
      secret: true,
      pattern: '^[A-Za-z0-9]{1,100}$',
    },
    token: {
      type: 'text',
      label: 'Token of the application',
      secret: true,
      pattern: '^[A-Za-z0-9]{1,100}$',
    },
    device: { type: 'text', label: 'Device', optional: true, pattern: '^[\\w,-]{1,200}$' },
    priority: { type: 'number', label: 'Priority', optional: true, least: -2, most: 1 },
    server: {
      type: 'address',
      label: 'Server',
      optional: true,
      help: 'https://api.pushover.net by default',
    },
  },
  schemes: ['pover'],
  example: 'pover://USER-KEY@TOKEN/DEVICE',
  fromAddress: ({ user, host, path: [device] }) =>
    user === null ? null : { user, token: host, ...(device === undefined ? {} : { device }) },
  leadsTo: ({ device }) => device ?? 'all devices',
  request: (target, { title, body, link }) => {
    const { user, token, device, priority, server = 'https://api.pushover.net' } = target
    return jsonPost(`${server.replace(/\/$/, '')}/1/messages.json`, {
      token,
      user,
      title: cut(title, mostTitle),
      message: cut(body || title, mostMessage),
      ...(link === null || link.length > mostLink
        ? {}
        : { url: link, url_title: 'See the change' }),
      ...(device === undefined ? {} : { device }),
      ...(priority === undefined ? {} : { priority }),
    })
  },
})
