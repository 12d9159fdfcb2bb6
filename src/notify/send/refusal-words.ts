import { cut, shown } from '../../formats/printable-text.js'

/** Longer reasons are cut. */
const mostWords = 160
/** So long a word of an answer that we sent ourselves may be a secret. */
const secretLength = 10

/**
 * Why a service refused a message, in its own words: the text of its answer, or
 * what its JSON has under the usual names. Empty where it sent a page, or said
 * nothing; and where it repeats something of what was sent, which may be a
 * token: whoever reads of deliveries is not shown those.
 */
export function refusalWords(answer: string, sent: string): string {
  const words = cut(shown(saidIn(answer.trim()).replace(/\s+/g, ' ').trim()), mostWords)
  const parts = words.split(/[\s"'`:,;(){}[\]/=&?]+/)
  return parts.some((part) => part.length >= secretLength && sent.includes(part)) ? '' : words
}

function saidIn(answer: string): string {
  if (!/^[{["]/.test(answer)) return answer.startsWith('<') ? '' : answer
  try {
    return wordsOf(JSON.parse(answer))
  } catch {
    return ''
  }
}

/** Telegram's description, Discord's and Mattermost's message, Gotify's errorDescription, Matrix's and ntfy's error, Pushover's errors. */
const names = ['description', 'message', 'errorDescription', 'error', 'errors', 'detail'] as const

function wordsOf(json: unknown): string {
  if (typeof json === 'string') return json
  if (json === null || typeof json !== 'object') return ''
  if (Array.isArray(json)) return wordsOf(json[0])
  const fields = json as Readonly<Record<string, unknown>>
  for (const name of names) {
    const words = wordsOf(fields[name])
    if (words !== '') return words
  }
  return ''
}
