import { escapeMarkup } from '../../formats/printable-text.js'
import { hashOf, type PagePlan, pickOf } from './catalogue.js'

/** The readable part of a page at one version. */
interface Article {
  readonly headline: string
  readonly paragraphs: readonly string[]
}

const sentencesEach = 3
/** A stride through the sentences that is prime to every possible number of them (9, 12, 15). */
const scatter = 7
/** Edits of a number before the whole sentence is written anew. */
const editsEach = 4
const versionsPerHeadline = 6

const verbs = ['counted', 'listed', 'sold', 'found', 'added', 'mended', 'lost', 'promised']
const moments = ['on Monday', 'this morning', 'before noon', 'last week', 'since spring', 'in May']
const endings = [
  'as before',
  'more than planned',
  'to general surprise',
  'without delay',
  'at last',
]

/**
 * What a page says at a version: a function of seed, page and version alone.
 * Each version edits one sentence, in turn: mostly its number, now and then
 * all of it; now and then the headline too. O(length of the text), whatever
 * the version.
 */
export function articleOf(
  page: Pick<PagePlan, 'number' | 'site'>,
  { seed, version }: { readonly seed: number; readonly version: number },
): Article {
  const key = hashOf(seed, page.number, 5)
  const sentences = sentencesEach * (3 + (key % 3))
  const texts = Array.from({ length: sentences }, (_, slot) => {
    const turn = (slot * scatter + key) % sentences
    return sentenceOf(page, {
      key: hashOf(key, slot),
      edition: editions(version, { turn, sentences }),
    })
  })
  const paragraphs: string[] = []
  for (let i = 0; i < sentences; i += sentencesEach)
    paragraphs.push(texts.slice(i, i + sentencesEach).join(' '))
  return {
    headline: headlineOf(page, hashOf(key, Math.floor(version / versionsPerHeadline), 6)),
    paragraphs,
  }
}

/** How many of the first versions fell on a sentence, when version v edits the one whose turn is v - 1. */
function editions(
  version: number,
  { turn, sentences }: { turn: number; sentences: number },
): number {
  return Math.floor((version - 1 - turn) / sentences) + 1
}

/** Two editions in a row never read the same: one has an even number, the other an odd one. */
function sentenceOf(
  { site }: Pick<PagePlan, 'site'>,
  { key, edition }: { readonly key: number; readonly edition: number },
): string {
  const whole = hashOf(key, Math.floor(edition / editsEach))
  const count = 2 * (5 + (hashOf(key, edition, 7) % 400)) + (edition % 2)
  const subject = pickOf(site.subjects, whole, 1)
  const thing = pickOf(site.things, whole, 2)
  return `${subject} ${pickOf(verbs, whole, 3)} ${count} ${thing} ${pickOf(moments, whole, 4)}, ${pickOf(endings, whole, 5)}.`
}

function headlineOf({ site }: Pick<PagePlan, 'site'>, key: number): string {
  const subject = pickOf(site.subjects, key, 1)
  return `${subject} and the ${pickOf(site.things, key, 2)} of ${pickOf(['spring', 'summer', 'autumn', 'winter'], key, 3)}`
}

export interface Link {
  readonly path: string
  readonly title: string
}

const style =
  'body{font:17px/1.6 Georgia,serif;max-width:42em;margin:2em auto;padding:0 1em;color:#222}nav,footer{font:14px system-ui,sans-serif;color:#666}nav a{margin-right:1em}'

/** A page as a browser gets it. Links are relative, so that it reads the same on any port. */
export function htmlOf(
  { site, title }: Pick<PagePlan, 'site' | 'title'>,
  {
    article,
    links,
    tag,
  }: {
    readonly article: Article
    readonly links: readonly Link[]
    /** A tag of its own for the head; null for none. */
    readonly tag: string | null
  },
): string {
  const feed = site.feed
    ? '\n<link rel="alternate" type="application/atom+xml" href="/feed.xml">'
    : ''
  const nav = [{ path: '/', title: site.title }, ...links]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeMarkup(title === site.title ? title : `${title} - ${site.title}`)}</title>
<meta name="viewport" content="width=device-width">${tag === null ? '' : `\n${tag}`}${feed}
<style>${style}</style>
</head>
<body>
<nav>
${nav.map(anchor).join('\n')}
</nav>
<main>
<h1>${escapeMarkup(title)}</h1>
<h2>${escapeMarkup(article.headline)}</h2>
${article.paragraphs.map((text) => `<p>${escapeMarkup(text)}</p>`).join('\n')}
</main>
<footer>${escapeMarkup(site.title)}, a made-up site of Revisit's demo</footer>
</body>
</html>
`
}

function anchor({ path, title }: Link): string {
  return `<a href="${escapeMarkup(path)}">${escapeMarkup(title)}</a>`
}

/** A page that only says why there is none. */
export function noticeOf(title: string): string {
  return `<!doctype html>\n<html lang="en">\n<title>${escapeMarkup(title)}</title>\n<h1>${escapeMarkup(title)}</h1>\n</html>\n`
}
