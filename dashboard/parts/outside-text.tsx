import { shown } from '../../src/formats/printable-text.js'

/**
 * A text from outside (a title, an address, a header), always as text: marks
 * that hide or reorder letters are spelled out, and its direction stays its own.
 */
export function OutsideText({ text, title }: { text: string; title?: boolean }) {
  const safe = shown(text)
  return <bdi {...(title ? { title: safe } : {})}>{safe}</bdi>
}

/** An address that opens elsewhere, if it is one of the web; else only its text. */
export function OutsideLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <OutsideText text={url} />
  return (
    <a href={url} rel="noopener noreferrer nofollow" target="_blank">
      <OutsideText text={url} />
    </a>
  )
}
