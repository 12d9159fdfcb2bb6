import { OptionError } from '../../model/index.js'

/**
 * The addresses under which a file of a folder may be served, the likeliest
 * first: `a/index.html` also as `a/`, `a.html` also as `a`.
 */
export function addressesOf(path: string, { base }: { readonly base: string }): string[] {
  const root = rootOf(base)
  const written = path.split('/').map(encodeURIComponent).join('/')
  const forms = [written.replace(/(^|\/)index\.(?:x?html?)$/i, '$1'), written]
  if (!/(^|\/)index\.[^/]*$/i.test(written)) forms.push(written.replace(/\.[^./]*$/, ''))
  return [...new Set(forms)].map((each) => new URL(each, root).href)
}

/** The address of the folder, with the `/` at its end. */
function rootOf(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new OptionError(
      'bad-base',
      `"${base}" is not the address of a site; give one such as https://example.org/docs/`,
    )
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}
