import { humanTime } from '../../model/index.js'
import { reproductionPage } from '../../report/index.js'
import type { World } from '../world.js'
import type { Reproduction } from './reproduction.js'

/** The report of a run. */
export function reproductionHtml(
  { settings, papers, histories }: Reproduction,
  world: World,
): string {
  const size = settings.quick ? 'Quick runs, with fewer pages than the recorded ones' : 'Full runs'
  const real =
    histories === null
      ? 'the real change histories were absent, so claims that need them are left out'
      : `${histories.changes.length} real change histories were at hand`
  const command = ['revisit reproduce', ...settings.names, settings.quick ? '--quick' : '']
  return reproductionPage({
    title: papers.length === 1 ? 'A paper, run again' : 'The papers, run again',
    intro: `Each claim of a paper beside our own numbers. ${size}, seed ${settings.seed}; ${real}.`,
    papers,
    foot: `Made by revisit ${world.version} on ${humanTime(world.now())} with: ${command.filter((part) => part !== '').join(' ')} --seed ${settings.seed}`,
  })
}
