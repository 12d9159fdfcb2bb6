/** How fresh copies were up to a moment: fresh time and all time, summed over pages, and what had been foretold. */
export interface Standing {
  readonly fresh: number
  readonly time: number
  /** Day by day. */
  readonly told: readonly number[]
}

/** Freshness that came true and that was foretold, over one stretch of time; null where nothing was foretold. */
export interface Stretched {
  readonly freshness: number
  readonly predicted: number | null
}

/** Both over the time since an earlier standing; over all of it where no time has passed since. */
export function laterOn(all: Standing, early: Standing | null): Stretched {
  const { fresh, time, told } = early !== null && all.time > early.time ? early : nothing
  return {
    freshness: (all.fresh - fresh) / (all.time - time),
    predicted: mean(all.told.slice(told.length)),
  }
}

const nothing: Standing = { fresh: 0, time: 0, told: [] }

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length
}
