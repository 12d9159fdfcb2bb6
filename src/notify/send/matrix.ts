import { webServer } from './apprise-address.js'
import { channelKind, hostOfAddress, jsonPost, plainToken, wholeText } from './kind.js'

/** An event has 64 KB at most; so many letters stay far below it in any script. */
const mostBody = 8000

/** A room of Matrix. The same id for each try makes it one event. https://spec.matrix.org/v1.11/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export const matrix = channelKind({
  kind: 'matrix',
  label: 'Matrix',
  help: 'The room’s id is in its settings, under Advanced; the access token in yours, under Help & About.',
  fields: {
    url: { type: 'address', label: 'Home server', help: 'https://matrix.example.org' },
    room: {
      type: 'text',
      label: 'Room',
      pattern: '^![^\\s/]{1,255}$',
      help: 'its id, such as !abc:example.org',
    },
    token: { type: 'text', label: 'Access token', secret: true, pattern: plainToken },
  },
  schemes: ['matrix', 'matrixs'],
  example: 'matrixs://ACCESS-TOKEN@matrix.example.org/!room:example.org',
  fromAddress: (address) => {
    const { user, password, path } = address
    const room = path[0]
    if (room === undefined || (password ?? user) === null) return null
    return { url: webServer(address), room, token: password ?? user }
  },
  leadsTo: ({ url, room }) => `${room} at ${hostOfAddress({ url })}`,
  request: ({ url, room, token }, message) => {
    const sent = `revisit-${message.id}`
    const path = [room, 'send', 'm.room.message', sent].map(encodeURIComponent).join('/')
    return jsonPost(
      `${url.replace(/\/$/, '')}/_matrix/client/v3/rooms/${path}`,
      { msgtype: 'm.text', body: wholeText(message, mostBody) },
      { method: 'PUT', headers: { authorization: `Bearer ${token}` } },
    )
  },
})
