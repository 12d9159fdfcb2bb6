import { escaped } from '../../formats/printable-text.js'
import { htmlDocument } from '../../lab/report/html-document.js'

/** A report of sections under one title, each with figures and tables that are HTML already. */
export function reportDocument({
  title,
  intro,
  sections,
  foot,
}: {
  readonly title: string
  readonly intro: string
  readonly sections: readonly { readonly title: string; readonly parts: readonly string[] }[]
  readonly foot: string
}): string {
  const body = sections.map(
    (section) =>
      `<section><h2>${escaped(section.title)}</h2>\n${section.parts.join('\n')}\n</section>`,
  )
  return htmlDocument({
    title,
    body: `<header><h1>${escaped(title)}</h1><p class="summary">${escaped(intro)}</p></header>
<main>
${body.join('\n')}
</main>
<footer>${escaped(foot)}</footer>`,
  })
}
