/**
 * One bounded request: HTTP, or a browser that renders the page; addresses that must not be asked. Uses model and formats.
 */
export { AddressGuard, type AddressOptions } from './address-guard.js'
export { HttpFetcher, type HttpFetcherOptions } from './http-fetcher.js'
export { basicAuthorization } from './http-request.js'
export { defaultLimits, type FetchLimits, fetchLimits } from './limits.js'
export {
  NameResolver,
  type NameResolverOptions,
  type Resolve,
  type ResolvedAddress,
} from './name-resolver.js'
export { checkPageHeaders, isOwnSite } from './page-headers.js'
export {
  type BrowserKit,
  type BrowserRequest,
  type BrowserResponse,
  PageRenderer,
  type PageRendererOptions,
} from './page-renderer.js'
export { playwrightBrowser } from './playwright-browser.js'
export { isPublicAddress } from './public-address.js'
