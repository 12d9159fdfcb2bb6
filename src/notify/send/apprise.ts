import { channelKind, hostOfAddress, jsonPost } from './kind.js'

/** The HTTP API of Apprise, for every service that it knows. https://appriseit.com/api/integrations/ */
export const apprise = channelKind({
  kind: 'apprise',
  label: 'Apprise',
  help: 'An Apprise API server, with the services to notify under a key, or as addresses given here.',
  fields: {
    url: {
      type: 'address',
      label: 'Server',
      help: 'http://apprise.example.org:8000, or .../notify/KEY',
    },
    urls: {
      type: 'text',
      label: 'Apprise addresses',
      optional: true,
      secret: true,
      most: 4000,
      help: 'where the server has no key; with commas between them',
    },
    tag: { type: 'text', label: 'Only services with this tag', optional: true, most: 200 },
  },
  schemes: ['apprise', 'apprises'],
  example: 'apprises://apprise.example.org/KEY',
  fromAddress: ({ scheme, host, path, query: { tag } }) => {
    const key = path.at(-1)
    const server = `${scheme === 'apprises' ? 'https' : 'http'}://${host}`
    return key === undefined
      ? null
      : {
          url: `${server}/notify/${encodeURIComponent(key)}`,
          ...(tag === undefined ? {} : { tag }),
        }
  },
  leadsTo: hostOfAddress,
  request: ({ url, urls, tag }, { title, body, link }) =>
    jsonPost(
      /\/notify(\/|$)/.test(new URL(url).pathname) ? url : `${url.replace(/\/$/, '')}/notify`,
      {
        title,
        body: link === null ? body || title : `${body}\n\n${link}`,
        type: 'info',
        format: 'text',
        ...(urls === undefined ? {} : { urls }),
        ...(tag === undefined ? {} : { tag }),
      },
    ),
})
