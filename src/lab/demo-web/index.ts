/**
 * The living sample web on loopback, and the truth about its pages. Uses model and the lab's processes.
 */
export { type DemoSite, DemoWeb, type DemoWebOptions, startDemoWeb } from './demo-web.js'
export type { Delays, RequestCounts } from './site-server.js'
export type { PageTruth } from './web-truth.js'
