import type { PackedContent } from '../packed-content.js'

/** A content with its name, ready to be kept; packed unless the store has it already. */
export interface NamedContent {
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string | null
  /** JSON. */
  readonly headers: string | null
  /** Packed already: the store had it not when it was asked. */
  readonly isNew: boolean
  readonly packed: () => PackedContent
}
