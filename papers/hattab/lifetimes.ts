import { DAY, type Seconds } from 'revisit/model'

/**
 * How change periods differ over the web: Weibull with shape 1.4 and scale
 * 152.2 days, the fit of the study behind the paper's Figures 2 and 3
 * (Brewington & Cybenko 2000, "How dynamic is the web?"; the paper's reference
 * number points to another one). A quarter of the pages change more often than
 * every 62 days, half more often than every 117.
 */
const shape = 1.4
const scale: Seconds = 152.2 * DAY

/** Share of pages whose mean change period is at most this. Figure 3. */
export function lifetimeShare(changePeriod: Seconds): number {
  return -Math.expm1(-((changePeriod / scale) ** shape))
}

/** The change period below which a share of the pages lies. */
export function lifetimeQuantile(share: number): Seconds {
  return scale * (-Math.log1p(-share)) ** (1 / shape)
}

/** The mean of a function over the pages, by the midpoints of equal shares. */
export function overPages(of: (changePeriod: Seconds) => number): number {
  const parts = 4000
  let sum = 0
  for (let i = 0; i < parts; i++) sum += of(lifetimeQuantile((i + 0.5) / parts))
  return sum / parts
}

/**
 * Share of pages whose content is at most so old. Figure 2: each page changes
 * at random, so its content age is exponential with its change period. Pages
 * are taken to be there for ever; on a growing web more of them are young.
 */
export function contentAgeShare(contentAge: Seconds): number {
  return overPages((changePeriod) => -Math.expm1(-contentAge / changePeriod))
}
