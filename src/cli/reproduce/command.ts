import { join } from 'node:path'
import { judgedClaims, type ReproducedPaper } from '../../report/index.js'
import { exitCode } from '../exit-code.js'
import type { PaperLibrary, World } from '../world.js'
import { reproductionHtml } from './html.js'
import { reproductionJson } from './json.js'
import { type RealHistories, realHistories } from './real-histories.js'
import type { Reproduction } from './reproduction.js'
import { type ReproduceFlags, type ReproduceSettings, reproduceSettings } from './settings.js'
import { writeReproduction } from './text.js'

/** `revisit reproduce`: runs papers again and compares their claims. Gives the exit code. */
export async function reproduceCommand(
  world: World,
  { papers: asked, flags }: { papers: readonly string[]; flags: ReproduceFlags },
): Promise<number> {
  const library = await world.papers()
  const known = library.papers.map(({ name }) => name)
  const settings = reproduceSettings(flags, { asked, known })
  const histories = await realHistories(world, settings)
  if (settings.html !== undefined) await world.mayReplace(settings.html)
  const papers = await reproduced(world, { library, settings, histories })
  const reproduction = { settings, papers, histories }
  await writeFiles(world, reproduction)
  if (settings.json) world.out.write(reproductionJson(reproduction))
  else writeReproduction(world.out, reproduction)
  const differs = papers.some(({ claims }) => claims.judged.some((each) => !each.asRecorded))
  return differs ? exitCode.differs : exitCode.done
}

async function reproduced(
  world: World,
  run: { library: PaperLibrary; settings: ReproduceSettings; histories: RealHistories | null },
): Promise<ReproducedPaper[]> {
  const { names, quick, seed, threads } = run.settings
  const bar = world.progress({ label: 'Running the papers', total: 1000, writes: false })
  const shares = new Map(names.map((name) => [name, 0]))
  const results = await run.library
    .run({
      names,
      quick,
      seed,
      threads,
      histories: run.histories?.changes ?? null,
      progress: (name, share) => {
        shares.set(name, share)
        const all = [...shares.values()].reduce((sum, each) => sum + each, 0)
        bar.at(Math.round((1000 * all) / names.length))
      },
    })
    .finally(() => bar.stop())
  return names.map((name) => {
    const { published } = run.library.papers.find((paper) => paper.name === name)!
    const { findings, tables, figures } = results.get(name)!
    const claims = judgedClaims(published, { findings, histories: run.histories !== null })
    return { name, published, claims, tables, figures }
  })
}

async function writeFiles(world: World, reproduction: Reproduction): Promise<void> {
  const { settings, papers } = reproduction
  if (settings.html !== undefined)
    await world.save(settings.html, reproductionHtml(reproduction, world))
  if (settings.out === undefined) return
  for (const { name, figures } of papers) {
    const folder = join(settings.out, name)
    await world.makeFolder(folder)
    for (const { file, svg } of figures) await world.save(join(folder, file), svg)
  }
}
