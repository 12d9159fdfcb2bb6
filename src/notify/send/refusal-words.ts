import { cut, shown } from '../../formats/printable-text.js'
import type { Post } from './guarded-post.js'

/** Longer reasons are cut. */
const mostWords = 160
/** So much of something that was sent is recognized in an answer, also where the answer cuts it. */
const recognized = 8

/**
 * Why a service refused a message, in its own words: the text of its answer, or
 * what its JSON has under the usual names. Empty where it sent a page, or said
 * nothing; and where it repeats something of what was sent that may be a token:
 * whoever reads of deliveries is not shown those.
 */
export function refusalWords(answer: string, sent: Pick<Post, 'url' | 'headers' | 'body'>): string {
  const words = saidIn(answer.trim()).replace(/\s+/g, ' ').trim()
  const repeats = secretsIn(sent).some((secret) => words.includes(secret.slice(0, recognized)))
  return repeats ? '' : cut(shown(words), mostWords)
}

/** What may be a token: all of the address behind its host and of what headers say, and of the body what is no plain word. */
function secretsIn({ url, headers, body }: Pick<Post, 'url' | 'headers' | 'body'>): string[] {
  const { username, password, pathname, search } = new URL(url)
  const said = Object.entries(headers).flatMap(([name, value]) =>
    /^content-type$/i.test(name) ? [] : value,
  )
  const hidden = [username, password, pathname, search, ...said].flatMap(piecesOf)
  return [...hidden, ...piecesOf(body).filter((piece) => /\d|.[A-Z]/.test(piece))]
}

function piecesOf(text: string): readonly string[] {
  return (text.match(/[\w-]+/g) ?? []).filter(({ length }) => length >= recognized)
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
