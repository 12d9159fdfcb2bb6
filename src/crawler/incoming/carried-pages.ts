import { readingRules } from '../../content/reading-rules.js'
import { checkPageHeaders } from '../../fetch/page-headers.js'
import { proxyAddress } from '../../fetch/proxy.js'
import type { LeftBehind, PageList, WantedPage } from '../../formats/page-lists/wanted-page.js'
import { browserSteps } from '../../model/browser-steps.js'
import { RevisitError } from '../../model/errors.js'
import type { PageSettings } from '../../model/page.js'
import type { Json } from '../../model/units.js'
import { policyOf } from '../../planner/registry.js'
import { parseAllowedHours } from '../../policies/allowed-hours.js'

/**
 * The pages of a list with the settings that can be followed here; what cannot
 * be is left out of its page and listed, so that nothing is guessed and no page
 * is lost to one rule.
 */
export function carriedPages({ pages, left }: PageList): {
  readonly pages: readonly WantedPage[]
  readonly left: readonly LeftBehind[]
} {
  const more: LeftBehind[] = []
  const carried = pages.map(({ settings = {}, ...page }) => {
    const leave = (what: string) => more.push({ entry: page.url, what })
    return { ...page, settings: carriedSettings(settings, leave) }
  })
  return { pages: carried, left: [...left, ...more] }
}

const checks: Readonly<Record<string, (value: Json | undefined) => unknown>> = {
  policy: (value) => policyOf(String(value)),
  hours: (value) => parseAllowedHours(String(value)),
  steps: (value) => browserSteps([value ?? []].flat().map(String)),
  proxy: (value) => proxyAddress(String(value)),
}

function carriedSettings(settings: PageSettings, leave: (what: string) => void): PageSettings {
  const { reading, headers = {}, ...others } = settings
  const kept = Object.entries(others).filter(([name, value]) => {
    const check = checks[name]
    return check === undefined || passes(() => check(value), { name, leave })
  })
  const rules = carriedRules(reading, leave)
  const sent = Object.entries(headers).filter(([name, value]) =>
    passes(() => checkPageHeaders({ [name]: value }), { name: `header ${name}`, leave }),
  )
  return {
    ...Object.fromEntries(kept),
    ...(sent.length === 0 ? {} : { headers: Object.fromEntries(sent) }),
    ...(rules === null ? {} : { reading: rules }),
  }
}

/** Rule by rule: of a list those texts that can be followed. */
function carriedRules(reading: Json | undefined, leave: (what: string) => void): Json | null {
  const rules = Object.entries((reading ?? {}) as Readonly<Record<string, Json>>).flatMap(
    ([name, value]) => {
      if (!Array.isArray(value))
        return passes(() => readingRules({ [name]: value }), { name, leave }) ? [[name, value]] : []
      const list = value.filter((each) =>
        passes(() => readingRules({ [name]: [each] }), { name, leave }),
      )
      return list.length === 0 ? [] : [[name, list]]
    },
  )
  return rules.length === 0 ? null : Object.fromEntries(rules)
}

function passes(
  check: () => unknown,
  { name, leave }: { readonly name: string; readonly leave: (what: string) => void },
): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (!(error instanceof RevisitError)) throw error
    leave(`${name}: ${error.message}`)
    return false
  }
}
