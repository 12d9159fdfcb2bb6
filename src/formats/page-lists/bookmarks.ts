import { scanHtml } from '../markup/scan-html.js'
import { ListedPages, type PageList } from './wanted-page.js'

/**
 * Bookmarks of a browser, in the format that Netscape began and all export:
 * links in folders, whose headings become tags. Others than of web pages, such
 * as scripts and places of the browser itself, are left.
 */
export function readBookmarks(text: string): PageList | null {
  if (!/^\uFEFF?\s*<!DOCTYPE NETSCAPE-Bookmark-file-1>/i.test(text)) return null
  const listed = new ListedPages()
  const folders: string[] = []
  let heading: string | null = null
  let next: string | null = null
  scanHtml(text, {
    wants: (name) => name === 'a',
    open(name, { href = '' }) {
      if (name === 'h3') heading = ''
      if (name === 'dl') {
        folders.push(next ?? '')
        next = null
      }
      if (name !== 'a') return
      const tags = [...new Set(folders.filter((each) => each !== ''))]
      if (/^https?:/i.test(href))
        listed.pages.push({ url: href, ...(tags.length === 0 ? {} : { tags }) })
      else listed.leave(href.slice(0, 80), 'is no address of a web page')
    },
    text(part) {
      if (heading !== null) heading += part
    },
    close(name) {
      if (name === 'h3') {
        next = heading?.trim().slice(0, 200) ?? null
        heading = null
      }
      if (name === 'dl') folders.pop()
    },
  })
  return listed.as('bookmarks')
}
