import { shown } from '../formats/printable-text.js'
import { OptionError } from '../model/errors.js'
import type { PageRecord } from '../model/page.js'
import { policyOf } from '../planner/registry.js'
import { type CrawlerSettings, crawlerDefaults } from './settings.js'

/** Called with a page whose own policy cannot be followed. */
type UnknownPolicy = (about: { readonly page: PageRecord; readonly used: string }) => void

/**
 * The name of the policy that each page is visited by: its own, or the
 * configuration's. A policy is checked when it is set, but a newer version, or
 * a hand, may have written one into the store that this version cannot follow.
 * Such a page must not end the loop for all: it goes by the configuration's,
 * and `onUnknown` is called for the first page with each such policy.
 */
export class PagePolicies {
  readonly #usual: string
  readonly #onUnknown: UnknownPolicy
  /** Why a policy cannot be followed, or null, by its name. */
  readonly #faults = new Map<string, string | null>()

  constructor(
    { policy = crawlerDefaults.policy }: Pick<Partial<CrawlerSettings>, 'policy'>,
    onUnknown: UnknownPolicy = () => {},
  ) {
    this.#usual = policy
    this.#onUnknown = onUnknown
  }

  of(page: PageRecord): string {
    const name = nameIn(page)
    if (name === null) return this.#usual
    const isMet = this.#faults.has(name)
    if (this.#faultOf(page) === null) return name
    if (!isMet) this.#onUnknown({ page, used: this.#usual })
    return this.#usual
  }

  /** The page's own policy for a person; null where it has none. */
  text(page: PageRecord): string | null {
    const name = nameIn(page)
    if (name === null || this.#faultOf(page) === null) return name
    return `${shown(name)} (this version cannot follow it; visited by ${this.#usual})`
  }

  /** For a program, beside the page's settings: why its own policy is not followed, where it is not. */
  json(page: PageRecord): { readonly policyFault?: string } {
    const fault = this.#faultOf(page)
    return fault === null ? {} : { policyFault: fault }
  }

  /** Why the page's own policy cannot be followed; null where it can, or it has none. */
  #faultOf(page: PageRecord): string | null {
    const name = nameIn(page)
    if (name === null) return null
    const known = this.#faults.get(name)
    if (known !== undefined) return known
    const fault = faultIn(name)
    this.#faults.set(name, fault)
    return fault
  }
}

/** What a hand has written may be anything. */
function nameIn({ settings }: PageRecord): string | null {
  const policy: unknown = settings.policy ?? null
  return policy === null || typeof policy === 'string' ? policy : JSON.stringify(policy)
}

function faultIn(name: string): string | null {
  try {
    policyOf(name)
    return null
  } catch (error) {
    if (error instanceof OptionError) return error.message
    throw error
  }
}

/** For a person: which page, what is done instead, and how to set it right. */
export function unknownPolicyText({ page, used }: Parameters<UnknownPolicy>[0]): string {
  const url = shown(page.url)
  return `${url} names the policy "${shown(nameIn(page)!)}", which this version of Revisit cannot follow; pages with it are visited by ${used} (revisit watch ${url} --policy NAME sets another)`
}
