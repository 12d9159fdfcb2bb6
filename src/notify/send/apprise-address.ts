/**
 * An address in the form that Apprise made common, such as
 * `discord://id/token` or `tgram://123:abc/chat`. Not a URL: tokens stand
 * where hosts do, with letters that a host may not have.
 */
export interface AppriseAddress {
  readonly scheme: string
  /** Name and password before the host. */
  readonly user: string | null
  readonly password: string | null
  /** What stands first after them, with its port. */
  readonly host: string
  /** Further parts of the path. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** Null where a text is not of this form. */
export function appriseAddress(text: string): AppriseAddress | null {
  const found = /^([a-z][a-z0-9]*):\/\/([^?]*)(?:\?(.*))?$/i.exec(text.trim())
  if (found === null || text.length > 4000) return null
  const [, scheme = '', rest = '', query = ''] = found
  const at = rest.lastIndexOf('@', (rest.indexOf('/') + 1 || rest.length + 1) - 1)
  const before = at < 0 ? null : rest.slice(0, at)
  const colon = before?.indexOf(':') ?? -1
  const [host = '', ...path] = (at < 0 ? rest : rest.slice(at + 1)).split('/')
  return {
    scheme: scheme.toLowerCase(),
    user: before === null ? null : decoded(colon < 0 ? before : before.slice(0, colon)),
    password: before === null || colon < 0 ? null : decoded(before.slice(colon + 1)),
    host: decoded(host),
    path: path.filter((part) => part !== '').map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The web server that an address names: by https where its scheme ends in s. */
export function webServer({ scheme, host }: AppriseAddress): string {
  return `${scheme.endsWith('s') ? 'https' : 'http'}://${host}`
}
