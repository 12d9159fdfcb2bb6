import type { PageSettings } from '../../model/page.js'

/** A page as a list of another program, or a person's file, wants it watched. */
export interface WantedPage {
  readonly url: string
  readonly group?: string
  readonly tags?: readonly string[]
  readonly importance?: number
  readonly settings?: PageSettings
  /** Known, and not visited until somebody asks for it. */
  readonly paused?: boolean
}

/** What of an entry has no equivalent here, for a person. */
export interface LeftBehind {
  /** The entry: its address, name or place. */
  readonly entry: string
  readonly what: string
}

/** What a list held. */
export interface PageList {
  readonly kind: 'urlwatch' | 'changedetection.io' | 'bookmarks' | 'pages file'
  readonly pages: readonly WantedPage[]
  readonly left: readonly LeftBehind[]
}

/** Gathers the pages of a list. */
export class ListedPages {
  readonly pages: WantedPage[] = []
  readonly left: LeftBehind[] = []

  leave(entry: string, what: string): undefined {
    this.left.push({ entry: entry.slice(0, 300), what: what.slice(0, 300) })
  }

  as(kind: PageList['kind']): PageList {
    return { kind, pages: this.pages, left: this.left }
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Texts of a value that may be one or a list; lines of one where it has several. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string')
    return value
      .split(/\r?\n/)
      .map((each) => each.trim())
      .filter(Boolean)
  if (!Array.isArray(value)) return []
  return value.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
}

/** A text as a regular expression (with the flag u, which takes no escape that is not needed) that finds it as it is. */
export function literalExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
