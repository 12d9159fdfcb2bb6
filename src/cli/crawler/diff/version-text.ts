import { readContent } from '../../../crawl/index.js'
import { decodedText } from '../../../formats/index.js'
import { EnvironmentError, type Store, type Version } from '../../../model/index.js'

/** The text of a version: what a reader sees, or with `raw` as it was sent; null if it is no text. */
export async function versionText(
  version: Version,
  { store, raw, url }: { readonly store: Store; readonly raw: boolean; readonly url: string },
): Promise<string | null> {
  const body = await store.snapshot(version.digest)
  if (body === null)
    throw new EnvironmentError('no-content', 'this copy was let go meanwhile; choose another')
  const type = version.mediaType ?? version.headers?.['content-type']
  const headers = type === undefined ? {} : { 'content-type': type }
  const { at } = version
  const answer = { kind: 'content', status: 200, at, url, headers, body, bytesReceived: 0 } as const
  const { title, text } = readContent(answer)
  if (text === null || raw) return text === null ? null : decodedText(body, type)
  return title === null ? text : `${title}\n${text}`
}
