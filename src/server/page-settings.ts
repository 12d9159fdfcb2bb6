import { OptionError, type PageSettings } from '../model/index.js'
import { parseAllowedHours, policyOf } from '../schedule/index.js'

/** A header's name and value that may be sent. RFC 9110, 5.1 and 5.5. */
const headerName = /^[!#$%&'*+.^_`|~\w-]{1,200}$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Refuses settings of a page that the loop could not follow. */
export function checkedSettings(settings: object): PageSettings {
  const {
    policy,
    hours,
    headers = {},
  } = settings as {
    policy?: string
    hours?: string
    headers?: Record<string, string>
  }
  if (policy !== undefined) policyOf(policy)
  if (hours !== undefined) parseAllowedHours(hours)
  for (const [name, value] of Object.entries(headers))
    if (!headerName.test(name) || !headerValue.test(value))
      throw new OptionError('bad-header', 'a header of the page cannot be sent as it is written')
  return settings as PageSettings
}
