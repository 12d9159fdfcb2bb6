/** What a page says while its scripts have not run: in a short text, one of these is enough. */
const waiting =
  /\b(loading|please wait|just a moment|one moment|enable javascript|javascript (is )?(required|disabled|not enabled)|requires javascript|without javascript|needs javascript|wird geladen|lädt|bitte warten|chargement|veuillez patienter|cargando|caricamento|carregando|laden)\b/i

/** Letters up to which such words are what the page says, and not a part of it. */
const shortText = 300
/** Letters below which there is next to nothing to compare. */
const nearlyEmpty = 25

/**
 * Whether a page seems to be made by its scripts: it has some, and without them
 * it says that it is loading, or next to nothing. A guess for advice, by which
 * nothing is decided.
 */
export function seemsScriptMade({
  html,
  text,
}: {
  readonly html: string
  /** What a reader sees of it. */
  readonly text: string
}): boolean {
  if (!/<script\b/i.test(html)) return false
  const seen = text.replace(/\s+/g, ' ').trim()
  return seen.length < nearlyEmpty || (seen.length <= shortText && waiting.test(seen))
}

/** What to do about it. */
export const scriptAdvice =
  'next to nothing stands in this page before its scripts run: let a browser render it (watch --browser, or its settings in the dashboard)'
