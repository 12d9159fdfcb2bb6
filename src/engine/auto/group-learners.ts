import {
  type AutoLearner,
  type AutoPrior,
  autoLearner,
  defaultLaw,
  type GroupLaw,
  lawOfEntry,
} from '../../estimate/index.js'
import type { PageRecord } from '../../model/index.js'

/** Pages thought to change alike: those of a group that a person named, else those of a host. */
export function groupOf({ group, host }: Pick<PageRecord, 'group' | 'host'>): string {
  return group ?? host
}

/** The learners of all groups, by a prior: each is made once and kept until there is another prior. */
export class GroupLearners {
  readonly #learners = new Map<string, AutoLearner>()
  readonly #whole: GroupLaw
  readonly prior: AutoPrior | null

  constructor(prior: AutoPrior | null) {
    this.prior = prior
    this.#whole = prior === null ? defaultLaw : lawOfEntry(prior.whole)
  }

  of(page: Pick<PageRecord, 'group' | 'host'>): AutoLearner {
    const name = this.nameOf(page)
    const known = this.#learners.get(name)
    if (known !== undefined) return known
    const made = autoLearner({ law: this.#lawOf(name) })
    this.#learners.set(name, made)
    return made
  }

  /** Groups without a law of their own share the whole's, under one name. */
  nameOf(page: Pick<PageRecord, 'group' | 'host'>): string {
    const group = groupOf(page)
    return this.prior !== null && Object.hasOwn(this.prior.groups, group) ? `g ${group}` : ''
  }

  #lawOf(name: string): GroupLaw {
    if (name === '') return this.#whole
    const law = lawOfEntry(this.prior!.groups[name.slice(2)]!)
    // One clock for all groups that have the whole's: what hours are worth is worked out once for each.
    return sameClock(law, this.#whole) ? { ...law, clock: this.#whole.clock } : law
  }
}

function sameClock({ clock: one }: GroupLaw, { clock: other }: GroupLaw): boolean {
  return (
    one.weekdays.every((each, i) => each === other.weekdays[i]) &&
    one.hours.every((each, i) => each === other.hours[i])
  )
}
