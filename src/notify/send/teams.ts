import { cut } from '../../formats/printable-text.js'
import { channelKind, hostOfAddress, jsonPost } from './kind.js'

/** A card has 28 KB at most; so many letters stay below it in any script. */
const mostBody = 5000

/**
 * A workflow of Microsoft Teams ("Post to a channel when a webhook request is
 * received"), as an Adaptive Card. Texts stand in runs, in which nothing is
 * markup. https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
export const teams = channelKind({
  kind: 'teams',
  label: 'Microsoft Teams',
  help: 'In Teams: Workflows, "Post to a channel when a webhook request is received", copy its address.',
  fields: {
    url: {
      type: 'address',
      label: 'Address of the workflow',
      secret: true,
      help: 'https://...logic.azure.com/workflows/...',
    },
  },
  schemes: ['workflows', 'workflow'],
  example: 'workflows://HOST:443/WORKFLOW/SIGNATURE',
  fromAddress: ({ host, path: [workflow, signature] }) => {
    if (workflow === undefined || signature === undefined) return null
    const query = new URLSearchParams({
      'api-version': '2016-06-01',
      sp: '/triggers/manual/run',
      sv: '1.0',
      sig: signature,
    })
    const path = `/workflows/${encodeURIComponent(workflow)}/triggers/manual/paths/invoke`
    return { url: `https://${host}${path}?${query}` }
  },
  leadsTo: hostOfAddress,
  request: ({ url }, { title, body, link }) => {
    const run = (text: string, more: object = {}) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text, ...more }],
    })
    return jsonPost(url, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [run(cut(title, 300), { weight: 'Bolder' }), run(cut(body || title, mostBody))],
            ...(link === null
              ? {}
              : { actions: [{ type: 'Action.OpenUrl', title: 'See the change', url: link }] }),
          },
        },
      ],
    })
  },
})
