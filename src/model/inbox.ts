import type { UnixSeconds } from './units.js'

/** A change that a visit found, in the words that a person reads. */
export interface NewChange {
  /** Of the visit that found it: changes are in the order of their numbers. */
  readonly number: number
  /** The page's id. */
  readonly page: string
  readonly at: UnixSeconds
  /** When the content before was first seen, where it is still kept. */
  readonly previous: UnixSeconds | null
  /** Of the content it brought. */
  readonly title: string | null
  /** The words that went and those that came, a line each; empty where there are none. */
  readonly removed: string
  readonly added: string
  /** Share of the compared text that is new or gone; null where there is none to compare. */
  readonly share: number | null
  /** In words, why there are no words to show. */
  readonly note: string | null
  /** What a search finds it by beside title and address. */
  readonly text: string
}

export interface ChangeRecord extends Omit<NewChange, 'page' | 'text'> {
  readonly page: {
    readonly id: string
    readonly url: string
    readonly host: string
    /** As it is now. */
    readonly title: string | null
    readonly group: string | null
    readonly tags: readonly string[]
  }
  readonly seen: boolean
}

/** Which changes; every part given must hold. */
export interface ChangeFilter {
  readonly collection: string
  /** Of the page: its group or one of its tags. */
  readonly group?: string
  /** A page's id. */
  readonly page?: string
  readonly unseen?: boolean
  /** Every word begins a word of title, address or changed text; see `wordsOfChange`. */
  readonly search?: string
}

/** The newest first. */
export interface ChangeQuery extends ChangeFilter {
  /** Only those with a lower number. */
  readonly before?: number
  readonly limit: number
}

export interface ChangeList {
  readonly changes: readonly ChangeRecord[]
  /** `before` of the next stretch; null at the end. */
  readonly next: number | null
}

/** Which changes were seen. */
export interface SeenMark extends Omit<ChangeFilter, 'unseen'> {
  readonly seen: boolean
  /** Only these. */
  readonly numbers?: readonly number[]
  /** Only up to this one: what came since nobody has seen. */
  readonly upTo?: number
}

export interface UnseenCounts {
  readonly unseen: number
  /** By group or tag, in order of the alphabet; a page of two counts in both. */
  readonly groups: readonly { readonly name: string; readonly unseen: number }[]
}

/** Changes as a person goes through them: unseen until marked. */
export interface Inbox {
  /** Those whose number is there already stay as they are, and those of pages that are no more are left out. */
  add(collection: string, changes: readonly NewChange[]): Promise<void>
  list(query: ChangeQuery): Promise<ChangeList>
  unseen(collection: string): Promise<UnseenCounts>
  /** How many were marked otherwise before. */
  mark(mark: SeenMark): Promise<number>
  /** Keeps the newest so many; how many were let go. */
  keepNewest(collection: string, most: number): Promise<number>
}

/** Letters and digits in a row; of scripts without spaces each sign is a word. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu

/** The words of a text as all stores search for them: in lower case, without accents. */
export function searchWords(text: string): string[] {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(word) ?? []
}

/** What a change is found by. */
export function wordsOfChange({ title, text }: Pick<NewChange, 'title' | 'text'>, url: string) {
  return [...new Set(searchWords(`${title ?? ''} ${readable(url)} ${text}`))]
}

/** An address as a person writes it. */
function readable(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
