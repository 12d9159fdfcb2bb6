import { OptionError } from '../../model/errors.js'
import type { Queues } from '../../model/queue.js'

/** The frontier is for stores that outlive a restart: one in memory has no queues. */
export const noQueues: Queues = {
  discover: refuse,
  putDated: refuse,
  claim: refuse,
  report: refuse,
  give: refuse,
  find: refuse,
  list: refuse,
  count: refuse,
  crawls: async () => [],
  queues: refuse,
  stats: refuse,
  setRules: refuse,
  setDefaultDelay: refuse,
  remove: refuse,
  purge: refuse,
  setActive: refuse,
  active: refuse,
}

async function refuse(): Promise<never> {
  throw new OptionError(
    'no-queues',
    'a store in memory has no queues; open one in a file or on PostgreSQL',
  )
}
