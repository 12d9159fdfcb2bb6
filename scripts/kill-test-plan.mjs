/** What the writer that is killed and the one who kills it must agree on. */
export const collection = 'killed'
export const worker = 'the one that is killed'
/** Seconds between two visits of a host. */
export const crawlDelay = 0.005
export const hostName = (host) => `h${host}.example`
export const pageName = (page) => `page-${page}`
