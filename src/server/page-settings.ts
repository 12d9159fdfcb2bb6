import { checkPageHeaders, type Json, OptionError, type PageSettings } from '../model/index.js'
import { parseAllowedHours, policyOf } from '../schedule/index.js'
import type { PageSettingsBody } from './schema/page-settings.js'
import type { Static } from './schema/words.js'
import type { ServiceParts } from './service-parts.js'

/** Refuses settings of a page that the loop could not follow; their names and kinds the schema has checked. */
export function checkedSettings(
  settings: Static<typeof PageSettingsBody>,
  { web }: Pick<ServiceParts, 'web'>,
): PageSettings {
  const { policy, hours, headers = {}, reading, shortest = 0, longest = Infinity } = settings
  if (policy !== undefined) policyOf(policy)
  if (hours !== undefined) parseAllowedHours(hours)
  if (reading !== undefined) web.checkReading(reading as Json)
  if (shortest > longest)
    throw new OptionError(
      'bad-limits',
      `the setting shortest (${shortest} s) must not be longer than longest (${longest} s)`,
    )
  checkPageHeaders(headers)
  return settings as PageSettings
}
