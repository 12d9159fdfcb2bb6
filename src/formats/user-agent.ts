import { OptionError } from '../model/errors.js'
import { productToken } from './robots-file.js'

/** The name in robots.txt and X-Robots-Tag. */
export const productName = 'Revisit'

/**
 * Who we are, for those who read their server's log: the product and where to
 * reach the person who runs it (an address of the web or of mail).
 */
export function userAgent({
  contact,
  version,
  product = null,
}: {
  readonly contact: string
  readonly version: string
  /** One's own, before ours. */
  readonly product?: string | null
}): string {
  if (product !== null && !/^[!#$%&'*+.^_`|~\dA-Za-z-]{1,60}(\/[\w.-]{1,30})?$/.test(product))
    throw new OptionError(
      'bad-product',
      `"${product.slice(0, 100)}" is no product; give a name and perhaps a version, such as MyArchive/1.0`,
    )
  if (!/^(?:https?:\/\/\S+|[^\s@()]+@[^\s@()]+)$/.test(contact) || !/^[\x21-\x7e]+$/.test(contact))
    throw new OptionError(
      'bad-contact',
      `"${contact}" is no contact; give a web address or an e-mail address at which you can be reached`,
    )
  return `${product === null ? '' : `${product} `}${productName}/${version} (+${contact})`
}

/** What a page asks of crawlers for itself. */
export interface RobotsDirectives {
  /** Not to be shown or listed. */
  readonly noindex: boolean
  /** Its links are not to be followed. */
  readonly nofollow: boolean
}

const own = productToken(productName)
/** Directives with a value, which are not the name of a crawler before a colon. */
const valued = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/

/** Whether a `<meta name>` speaks to us. */
export function isRobotsName(name: string): boolean {
  const lower = name.trim().toLowerCase()
  return lower === 'robots' || lower === own
}

/** Reads the content of a robots meta tag. */
export function metaDirectives(content: string): RobotsDirectives {
  return directives(content.split(','))
}

/**
 * Reads X-Robots-Tag; several headers come joined by commas. A name and a colon
 * say to whom the following directives are said, up to the next name.
 */
export function headerDirectives(header: string): RobotsDirectives {
  let ours = true
  const named: string[] = []
  for (const part of header.slice(0, 4096).split(',')) {
    const [, name, rest = ''] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
    if (name !== undefined && !valued.test(name.toLowerCase())) {
      ours = name.toLowerCase() === own
      if (ours) named.push(rest)
    } else if (ours) named.push(part)
  }
  return directives(named)
}

function directives(words: readonly string[]): RobotsDirectives {
  const named = new Set(words.map((each) => each.trim().toLowerCase()))
  return {
    noindex: named.has('noindex') || named.has('none'),
    nofollow: named.has('nofollow') || named.has('none'),
  }
}

/** Both, where either asks. */
export function bothDirectives(a: RobotsDirectives, b: RobotsDirectives): RobotsDirectives {
  return { noindex: a.noindex || b.noindex, nofollow: a.nofollow || b.nofollow }
}
