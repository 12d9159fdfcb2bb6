import type { PageSettings } from './page-record.js'

/**
 * The settings of a page that a person asks for: looked at again to tell noise
 * from change, unless said otherwise. Lists are read for what they say of other
 * pages, and pages found by themselves are not worth the second request.
 */
export function watchedSettings(settings: PageSettings = {}): PageSettings {
  if (settings.role === 'list' || settings.found === true) return settings
  return { noiseCheck: true, ...settings }
}
