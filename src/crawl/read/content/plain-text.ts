import type { JsonPath } from '../rules/json-path.js'
import { feedItemsText } from './feed-items-text.js'
import { jsonText } from './json-text.js'

/** JSON and feeds by what they hold, other text as it is. */
export function plainText(
  whole: string,
  {
    contentType = '',
    ignored = [],
  }: { readonly contentType?: string | undefined; readonly ignored?: readonly JsonPath[] },
): string {
  if (/json/i.test(contentType)) return jsonText(whole, ignored) ?? whole
  return feedItemsText(whole) ?? whole
}
