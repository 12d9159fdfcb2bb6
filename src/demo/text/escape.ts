const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text made safe for HTML and XML, in elements and in attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => entities[mark]!)
}
