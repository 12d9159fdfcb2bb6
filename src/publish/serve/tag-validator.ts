/**
 * A tagged page is other bytes than the page that the application knows, so it
 * needs another ETag: the tag is written behind the application's own, within
 * its quotes. What a client sends back is undone before the application sees
 * it, if the tag is still the same; otherwise it does not match, and the page
 * is sent again with its new tag.
 */
const mark = '+cf-'

/** The ETag of the tagged page. */
export function taggedValidator(etag: string, content: string): string {
  return etag.endsWith('"') ? `${etag.slice(0, -1)}${suffix(content)}"` : etag
}

/** The validators of a request (If-None-Match, If-Range) as the application wrote them. */
export function untaggedValidators(header: string, content: string): string {
  return header.replaceAll(`${suffix(content)}"`, '"')
}

/** An ETag holds no spaces. RFC 9110, 8.8.3. */
function suffix(content: string): string {
  return `${mark}${content.replaceAll(' ', '_')}`
}
