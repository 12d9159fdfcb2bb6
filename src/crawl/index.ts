export {
  AddressGuard,
  type AddressOptions,
  type Resolve,
  type ResolvedAddress,
} from './address/address-guard.js'
export { isPublicAddress } from './address/public-address.js'
export { defaultLimits, type FetchLimits, fetchLimits } from './fetch/fetch-limits.js'
export { HttpFetcher, type HttpFetcherOptions } from './fetch/http-fetcher.js'
export { basicAuthorization } from './fetch/request-headers.js'
export { productName, userAgent } from './fetch/user-agent.js'
export { type NormalUrlOptions, normalUrl } from './url/normal-url.js'
export { originOf, robotsUrl } from './url/site.js'
export { trackingParameters } from './url/tracking-parameters.js'
