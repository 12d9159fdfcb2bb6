import { type Json, OptionError, type PageSettings } from '../model/index.js'
import { parseAllowedHours, policyOf } from '../schedule/index.js'
import type { PageSettingsBody } from './schema/page-settings.js'
import type { Static } from './schema/words.js'
import type { ServiceParts } from './service-parts.js'

/** A header's name and value that may be sent. RFC 9110, 5.1 and 5.5. */
const headerName = /^[!#$%&'*+.^_`|~\w-]{1,200}$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

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
    throw new OptionError('bad-limits', 'the setting shortest must not be longer than longest')
  for (const [name, value] of Object.entries(headers))
    if (!headerName.test(name) || !headerValue.test(value))
      throw new OptionError('bad-header', 'a header of the page cannot be sent as it is written')
  return settings as PageSettings
}
