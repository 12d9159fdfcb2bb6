import { shown } from '../../src/formats/printable-text.js'
import { OutsideText } from './outside-text.js'

/**
 * The address of a page where room is short: what is cut off is the host and
 * the beginning of the path, for the end is what tells pages of a site apart.
 */
export function Address({ url }: { url: string }) {
  const [, host = '', path = shown(url)] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(shown(url)) ?? []
  return (
    <span class="address" title={shown(url)}>
      {path === '/' || path === '' ? (
        <bdi class="alone">{host}</bdi>
      ) : (
        <>
          <bdi class="host">{host}</bdi>
          <span class="path">
            <bdi dir="ltr">{path}</bdi>
          </span>
        </>
      )}
    </span>
  )
}

/** A page as people know it: its title, and its address beside it. */
export function PageName({
  page: { title, url },
}: {
  page: { title: string | null; url: string }
}) {
  if (title === null || title.trim() === '') return <Address url={url} />
  return (
    <span class="page-name">
      <span class="name-title">
        <OutsideText text={title} title />
      </span>{' '}
      <Address url={url} />
    </span>
  )
}
