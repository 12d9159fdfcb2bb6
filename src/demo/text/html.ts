import type { PagePlan } from '../plan/catalogue.js'
import type { Article } from './article.js'
import { escapeMarkup } from './escape.js'

export interface Link {
  readonly path: string
  readonly title: string
}

const style =
  'body{font:17px/1.6 Georgia,serif;max-width:42em;margin:2em auto;padding:0 1em;color:#222}nav,footer{font:14px system-ui,sans-serif;color:#666}nav a{margin-right:1em}'

/** A page as a browser gets it. Links are relative, so that it reads the same on any port. */
export function htmlOf(
  { site, title }: Pick<PagePlan, 'site' | 'title'>,
  { article, links }: { readonly article: Article; readonly links: readonly Link[] },
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
<meta name="viewport" content="width=device-width">${feed}
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
