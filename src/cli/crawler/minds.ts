import type { Mind } from '../../engine/index.js'
import { learnerNamed } from '../../estimate/index.js'
import { OptionError, type PageRecord } from '../../model/index.js'
import { type AllowedHours, parseAllowedHours } from '../../schedule/index.js'
import { chosenPolicy } from '../config/chosen-policy.js'
import type { Configuration } from '../config/settings.js'

/** The policy and learner of each page: its own setting, or the configuration's. */
export function mindsOf({ policy }: Pick<Configuration, 'policy'>): (page: PageRecord) => Mind {
  const known = new Map<string, Mind>()
  return ({ settings }) => remembered(known, settings.policy ?? policy, mindNamed)
}

function mindNamed(name: string): Mind {
  const policy = chosenPolicy(name)
  return { policy, learner: policy.learner === null ? null : learnerNamed(policy.learner) }
}

/**
 * The hours in which each page may be visited. Hours were checked when they
 * were set; a page whose hours cannot be read all the same is not to stop the
 * loop, and is visited at any time.
 */
export function hoursOf({
  hours,
}: Pick<Configuration, 'hours'>): (page: PageRecord) => AllowedHours | null {
  const known = new Map<string, AllowedHours | null>()
  return ({ settings }) => {
    const text = typeof settings.hours === 'string' ? settings.hours : hours
    return text === null ? null : remembered(known, text, readable)
  }
}

function readable(text: string): AllowedHours | null {
  try {
    return parseAllowedHours(text)
  } catch (error) {
    if (error instanceof OptionError) return null
    throw error
  }
}

function remembered<T>(known: Map<string, T>, name: string, make: (name: string) => T): T {
  const found = known.get(name) ?? make(name)
  known.set(name, found)
  return found
}
