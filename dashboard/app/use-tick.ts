import { useEffect, useState } from 'preact/hooks'

/** Renders again every so many milliseconds while the page is in sight. */
export function useTick(milliseconds: number): number {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(
      () => document.hidden || setTick((before) => before + 1),
      milliseconds,
    )
    return () => clearInterval(timer)
  }, [milliseconds])
  return tick
}
