/**
 * Why a record is not taken. A value rather than an error: a file may hold
 * millions of bad lines, and a thrown error costs a hundred times as much. The
 * text is made only for those that are shown, and before the next record is
 * read: the fields it quotes are then filled again.
 */
export interface Refusal {
  readonly code: string
  readonly message: () => string
}

export function refusal(code: string, message: () => string): Refusal {
  return { code, message }
}
