import { createHash } from 'node:crypto'

const endings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(text\/html|application\/xhtml\+xml)\b/i, '.html'],
  [/^text\/plain\b/i, '.txt'],
  [/^text\/css\b/i, '.css'],
  [/^text\/csv\b/i, '.csv'],
  [/^(text|application)\/(x-)?(java|ecma)script\b/i, '.js'],
  [/[/+]json\b/i, '.json'],
  [/[/+]xml\b/i, '.xml'],
  [/^application\/pdf\b/i, '.pdf'],
  [/^image\/png\b/i, '.png'],
  [/^image\/jpeg\b/i, '.jpg'],
  [/^image\/gif\b/i, '.gif'],
  [/^image\/svg/i, '.svg'],
]

/** File systems allow 255 bytes a name. */
const longestName = 100
/** Systems allow 260 (Windows) to 4,096 a path, of which the folder that is written to takes some. */
const longestPath = 200

/**
 * Paths for copies of pages, below a folder: `host/path/page.html`. No two are
 * the same, also where upper and lower case are one, none leaves the folder,
 * and all names are letters, digits and a few signs.
 */
export class CopyPaths {
  readonly #taken = new Set<string>()

  pathOf(url: string, mediaType: string | null): string {
    const { host, pathname, search } = new URL(url)
    const segments = pathname.split('/').slice(1).map(safeName)
    const last = segments.pop() ?? ''
    const ending = endings.find(([pattern]) => pattern.test(mediaType ?? ''))?.[1] ?? ''
    const named = last === '' ? 'index' : last
    const base =
      ending !== '' && named.toLowerCase().endsWith(ending) ? named.slice(0, -ending.length) : named
    const query = search === '' ? '' : `-${digest(search)}`
    const folder = [safeName(host), ...segments.map((each) => each || '_')].join('/')
    return this.#free(`${folder}/${base}${query}`, { ending, url })
  }

  /** A path that is too long, that another has, or that needs a folder where a file is gives way to one by digest. */
  #free(path: string, { ending, url }: { ending: string; url: string }): string {
    const named = path + ending
    const fits = named.length <= longestPath && !this.#isTaken(named)
    const whole = fits ? named : `_other/${digest(url)}${ending}`
    this.#take(whole)
    return whole
  }

  #isTaken(path: string): boolean {
    const key = path.toLowerCase()
    return this.#taken.has(key) || this.#taken.has(`${key}/`) || this.#hasFileAbove(key)
  }

  #hasFileAbove(key: string): boolean {
    const parts = key.split('/')
    return parts.some((_, i) => i > 0 && this.#taken.has(parts.slice(0, i).join('/')))
  }

  #take(path: string): void {
    const parts = path.toLowerCase().split('/')
    this.#taken.add(parts.join('/'))
    for (let i = 1; i < parts.length; i++) this.#taken.add(`${parts.slice(0, i).join('/')}/`)
  }
}

/** Dots at the start would hide a file or climb out; names of Windows devices are avoided too. */
function safeName(text: string): string {
  const safe = text.replace(/[^\w.~@+-]/g, '_').replace(/^\.+/, '_')
  const plain = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe) ? `_${safe}` : safe
  return plain.length <= longestName ? plain : `${plain.slice(0, longestName - 11)}-${digest(text)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}
