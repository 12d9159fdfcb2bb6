/** /api/beside: the demo beside one's own pages, and one's own pages beside the demo. */

import { Type } from 'typebox'
import { refusals } from '../schema.js'
import type { App } from '../service-parts.js'

/** What stands beside a service can be: the demo, or one's own pages. */
export const besideKinds = ['demo', 'own'] as const

/** Another service on this machine, which is started when a person asks for it. */
export interface Beside {
  readonly kind: (typeof besideKinds)[number]
  /** Its address; it is started once. */
  open(): Promise<string>
}

export const BesideAnswer = Type.Object({ address: Type.String() })

export function besideRoutes(app: App, beside: Beside): void {
  app.post(
    '/api/beside',
    {
      schema: {
        operationId: 'openBeside',
        summary:
          'The address of the demo, or from the demo of the service with your own pages; started when first asked for',
        tags: ['settings'],
        response: { 200: BesideAnswer, ...refusals },
      },
    },
    async () => ({ address: await beside.open() }),
  )
}
