import { OptionError } from '../../model/index.js'

/** The name in robots.txt and X-Robots-Tag. */
export const productName = 'Revisit'

/**
 * Who we are, for those who read their server's log: the product and where to
 * reach the person who runs it (an address of the web or of mail).
 */
export function userAgent({
  contact,
  version,
}: {
  readonly contact: string
  readonly version: string
}): string {
  if (!/^(?:https?:\/\/\S+|[^\s@()]+@[^\s@()]+)$/.test(contact) || !/^[\x21-\x7e]+$/.test(contact))
    throw new OptionError(
      'bad-contact',
      `"${contact}" is no contact; give a web address or an e-mail address at which you can be reached`,
    )
  return `${productName}/${version} (+${contact})`
}
