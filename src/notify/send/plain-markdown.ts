/** A text in which nothing is markup, where a service reads Markdown: signs of it are escaped. */
export function withoutMarkdown(text: string): string {
  return text.replace(/[\\`*_~|>[\]()#@<]/g, '\\$&')
}
