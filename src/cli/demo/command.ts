import { exitCode } from '../exit-code.js'
import type { World } from '../world.js'
import { compareCommand } from './compare/command.js'
import { DemoLoop } from './demo-loop.js'
import { openPlace } from './demo-place.js'
import { DemoWatch } from './demo-watch.js'
import { LiveView } from './live-view.js'
import { type DemoFlags, type DemoSettings, demoSettings } from './settings.js'
import { demoSummary, type Finished } from './summary.js'
import { summaryText } from './summary-text.js'

/** Milliseconds between two frames, and between two lines where nobody looks. */
const frameTime = 1000
const lineTime = 10_000

/** `revisit demo`: the loop at work on a sample web. Gives the exit code. */
export async function demoCommand(world: World, flags: DemoFlags): Promise<number> {
  const settings = demoSettings(flags, { watched: world.screen !== undefined })
  if (settings.compare) return compareCommand(world, settings)
  const end = new AbortController()
  const forget = world.onInterrupt?.(() => end.abort())
  const place = await openPlace(settings)
  const { seed, speed, perPage, hints } = settings
  const loop = await DemoLoop.open({
    place,
    seed,
    speed,
    perPage,
    hints,
    version: world.version,
  }).catch(async (error) => {
    await place.leave(place.start)
    throw error
  })
  try {
    const finished = await watched(loop, { settings, world, end })
    if (settings.json) world.out.write(`${JSON.stringify(finished.summary)}\n`)
    else world.out.write(summaryText(finished, { columns: world.out.columns }))
  } finally {
    forget?.()
    await loop.close()
  }
  return exitCode.done
}

/** Runs the loop to its end, showing it meanwhile. */
async function watched(
  loop: DemoLoop,
  { settings, world, end }: { settings: DemoSettings; world: World; end: AbortController },
): Promise<Finished> {
  const watch = new DemoWatch(loop, { wall: () => performance.now() / 1000 })
  const { duration } = settings
  const timer = duration === undefined ? undefined : setTimeout(() => end.abort(), duration * 1000)
  const showing = settings.quiet ? undefined : shown(watch, { settings, world, signal: end.signal })
  try {
    await loop.run({
      signal: end.signal,
      onVisit: (saved) => watch.visited(saved),
    })
    await showing
    return await demoSummary(watch, settings)
  } finally {
    end.abort()
    clearTimeout(timer)
    await showing
  }
}

/** Draws until the signal fires; a view that fails ends the demo. */
async function shown(
  watch: DemoWatch,
  { settings, world, signal }: { settings: DemoSettings; world: World; signal: AbortSignal },
): Promise<void> {
  const { screen, err } = world
  const view = new LiveView(watch, settings)
  const { clock } = watch.loop.web
  const wait = (milliseconds: number) => clock.sleep((milliseconds / 1000) * settings.speed, signal)
  while (!signal.aborted) {
    if (screen === undefined) {
      await wait(lineTime)
      if (signal.aborted) break
      err.write(`${await view.line()}\n`)
      await err.flush?.()
    } else {
      screen.draw(await view.lines(screen))
      await wait(frameTime)
    }
  }
  screen?.clear()
}
