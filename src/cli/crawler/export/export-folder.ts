import { dirname, join } from 'node:path'
import { readContent } from '../../../crawl/index.js'
import { humanTime, type PageRecord, type Store, type Version } from '../../../model/index.js'
import { escaped, htmlDocument } from '../../../report/index.js'
import { humanBytes } from '../../text/human-bytes.js'
import type { Configured } from '../configured.js'
import { listed } from '../pages/list-command.js'
import { CopyPaths } from './copy-path.js'

interface Copy {
  readonly page: PageRecord
  readonly version: Version
  readonly path: string
  readonly title: string | null
}

/** Writes the newest copy of each page below a folder, and an index.html that leads to them; tells how much. */
export async function exportFolder(
  { world, crawler, config }: Configured,
  { store, folder }: { readonly store: Store; readonly folder: string },
): Promise<{ readonly copies: number; readonly bytes: number }> {
  const paths = new CopyPaths()
  const copies: Copy[] = []
  let bytes = 0
  for await (const page of listed(store, {
    filter: { collection: config.collection },
    sort: 'url',
  })) {
    const version = (await store.versionsOf(page)).at(-1)
    const body = version === undefined ? null : await store.snapshot(version.digest)
    if (version === undefined || body === null) continue
    const path = paths.pathOf(page.url, version.mediaType)
    await world.makeFolder(dirname(join(folder, path)))
    const file = await crawler.createFile(join(folder, path))
    await file.write(body)
    await file.finish()
    bytes += body.length
    copies.push({ page, version, path, title: titleOf(page.url, { version, body }) })
  }
  await world.makeFolder(folder)
  const index = indexPage(copies)
  await world.save(join(folder, 'index.html'), index)
  return { copies: copies.length, bytes: bytes + Buffer.byteLength(index) }
}

function titleOf(
  url: string,
  { version, body }: { version: Version; body: Uint8Array },
): string | null {
  const headers: Record<string, string> =
    version.mediaType === null ? {} : { 'content-type': version.mediaType }
  const { at } = version
  return readContent({ kind: 'content', status: 200, at, url, headers, body, bytesReceived: 0 })
    .title
}

function indexPage(copies: readonly Copy[]): string {
  const rows = copies.map(
    ({ page, version, path, title }) =>
      `<tr><td><a href="${escaped(encodeURI(path))}">${escaped(title ?? page.url)}</a></td><td>${escaped(page.url)}</td><td>${humanTime(version.at)}</td><td>${page.lastVisit === null ? '' : humanTime(page.lastVisit.at)}</td><td>${humanBytes(version.bytes)}</td></tr>`,
  )
  const head =
    '<tr><th>page</th><th>address</th><th>as of</th><th>last visit</th><th>size</th></tr>'
  const body = `<h1>Copies of ${copies.length} pages</h1>\n<table>\n<thead>${head}</thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`
  return htmlDocument({ title: 'Copies of pages', body })
}
