import { join } from 'node:path'
import {
  claimsAndQuestions,
  type JudgedClaim,
  judgedClaims,
  verdictCounts,
} from '../../lab/report/paper.js'
import type { ReproducedPaper } from '../../lab/report/reproduction-page.js'
import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { RecordedChanges } from '../../model/history.js'
import { type FlagsOf, plainCommand } from '../command.js'
import {
  type Environment,
  exitCode,
  exitCodeHelp,
  type PaperLibrary,
  type TextOutput,
} from '../environment.js'
import { realHistories } from '../recorded-histories.js'
import { jsonText } from '../text/json.js'
import { count, counted } from '../text/numbers.js'

const options = [
  ['--quick', 'smaller runs: the same verdicts in seconds'],
  ['--html <file>', 'a report with all verdicts, figures and tables'],
  ['--out <folder>', 'write each figure as an SVG file, in a folder for each paper'],
  ['-j, --json', 'JSON: claims, findings and tables'],
  ['--seed <number>', 'another random seed (default: 1)', count(0, 2 ** 32 - 1)],
  ['--histories <file>', 'real change times: object_id,unix_seconds (CSV, may be gzip)'],
  ['--objects <file>', 'beside them: object_id,first,observed_until,source,cadence_s'],
  ['--threads <number>', 'papers that run at the same time (default: 2)', count(1, 64)],
] as const

type ReproduceFlags = FlagsOf<typeof options>

/** `revisit reproduce`: runs papers again and compares their claims. */
export const reproduceCommand = plainCommand({
  description:
    'Runs the papers again and compares every claim with its printed numbers: holds, holds in part, does not hold.',
  arguments: [['[paper...]', 'the papers to run; all by default']],
  options,
  more: `Without --histories, updates.csv.gz and objects.csv are looked for in $REVISIT_SHARED/traces, then in ../shared/traces beside the project; where they are absent, the claims that need them are left out.

Examples:
  revisit reproduce --quick
  revisit reproduce malcolm-armitage hattab --html report.html
${exitCodeHelp}`,
  run: (environment, [asked], flags) => reproduce(environment, { asked, flags }),
})

/** The report of a run. */
async function reproductionHtml(
  { settings, papers, histories }: Reproduction,
  environment: Environment,
): Promise<string> {
  const { reproductionPage } = await import('../../lab/report/reproduction-page.js')
  const size = settings.quick ? 'Quick runs, with fewer pages than the recorded ones' : 'Full runs'
  const real =
    histories === null
      ? 'the real change histories were absent, so claims that need them are left out'
      : `${histories.length} real change histories were at hand`
  const command = ['revisit reproduce', ...settings.names, settings.quick ? '--quick' : '']
  return reproductionPage({
    title: papers.length === 1 ? 'A paper, run again' : 'The papers, run again',
    intro: `Each claim of a paper beside our own numbers. ${size}, seed ${settings.seed}; ${real}.`,
    papers,
    foot: `Made by revisit ${environment.version} on ${humanTime(environment.now())} with: ${command.filter((part) => part !== '').join(' ')} --seed ${settings.seed}`,
  })
}

/** A run for a program: every claim with its finding, and the tables; figures by name. */
function reproductionJson({ settings, papers, histories }: Reproduction): string {
  const found = papers.map(({ name, published, claims, tables, figures }) => ({
    name,
    title: published.title,
    authors: published.authors,
    year: published.year,
    claims: claims.judged.map(({ claim, finding, asRecorded }) => ({
      ...claim,
      ours: finding.ours,
      verdict: finding.verdict,
      why: finding.why,
      asRecorded,
    })),
    leftOut: claims.leftOut.map(({ id }) => id),
    tables,
    figures: figures.map(({ file, title, caption }) => ({ file, title, caption })),
  }))
  const { quick, seed } = settings
  return jsonText({ quick, seed, histories: histories?.length ?? null, papers: found })
}

/** The options, checked. */
interface ReproduceSettings extends ReproduceFlags {
  readonly names: readonly string[]
  readonly quick: boolean
  readonly seed: number
  readonly threads: number
}

function reproduceSettings(
  flags: ReproduceFlags,
  { asked, known }: { readonly asked: readonly string[]; readonly known: readonly string[] },
): ReproduceSettings {
  if (flags.objects !== undefined && flags.histories === undefined)
    throw new OptionError(
      'objects-without-histories',
      '--objects describes the pages of --histories; give that file too',
    )
  const { quick = false, seed = 1, threads = 2 } = flags
  return { ...flags, names: namesOf(asked, known), quick, seed, threads }
}

/** In the order of the list, whatever the order asked for. */
function namesOf(asked: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new OptionError(
      'unknown-paper',
      `there is no paper "${unknown}"; there are: ${known.join(', ')}`,
    )
  return asked.length === 0 ? known : known.filter((name) => asked.includes(name))
}

/** Every claim with published, ours, verdict and record, then a closing count. */
function writeReproduction(out: TextOutput, { papers, histories }: Reproduction): void {
  for (const paper of papers) writePaper(out, paper)
  const leftOut = papers.reduce((sum, { claims }) => sum + claims.leftOut.length, 0)
  out.write(`${countLine(papers)}\n`)
  if (histories === null)
    out.write(
      `The real change histories are absent: ${counted(leftOut, 'claim')} and the rows that need them are left out; name them with --histories and --objects.\n`,
    )
}

function writePaper(out: TextOutput, { name, published, claims }: ReproducedPaper): void {
  out.write(`${name}: ${published.title} (${published.authors}, ${published.year})\n\n`)
  const { claims: own, questions } = claimsAndQuestions(claims.judged)
  for (const each of own) writeClaim(out, each)
  if (questions.length > 0) out.write('Questions of our own, which the paper leaves open:\n\n')
  for (const each of questions) writeClaim(out, each)
  for (const { says } of claims.leftOut) out.write(`  left out: ${says}\n\n`)
}

function writeClaim(out: TextOutput, { claim, finding, asRecorded }: JudgedClaim): void {
  const record = asRecorded ? 'as recorded' : `RECORDED: ${claim.recorded}`
  out.write(`  ${claim.id} (${claim.where}): ${claim.says}\n`)
  out.write(`    published  ${claim.published === '' ? '-' : claim.published}\n`)
  out.write(`    ours       ${finding.ours}\n`)
  out.write(`    verdict    ${finding.verdict}, ${record}\n\n`)
}

function countLine(papers: readonly ReproducedPaper[]): string {
  const judged = papers.flatMap(({ claims }) => claims.judged)
  const { claims: own, questions } = claimsAndQuestions(judged)
  const counts = verdictCounts(own)
  const ours = questions.length === 0 ? '' : `; ${counted(questions.length, 'question')} of our own`
  const differing = papers.flatMap(({ name, claims }) =>
    claims.judged.filter((each) => !each.asRecorded).map(({ claim }) => `${name}/${claim.id}`),
  )
  const verdicts = `${counts.holds} hold, ${counts['holds in part']} hold in part, ${counts['does not hold']} do not hold`
  const record =
    differing.length === 0
      ? 'all as recorded'
      : `${differing.length} not as recorded: ${differing.join(', ')}`
  return `${own.length} claims: ${verdicts}${ours}; ${record}.`
}

async function reproduce(
  environment: Environment,
  { asked, flags }: { asked: readonly string[]; flags: ReproduceFlags },
): Promise<number> {
  const library = await environment.papers()
  const known = library.papers.map(({ name }) => name)
  const settings = reproduceSettings(flags, { asked, known })
  const { histories: file, objects } = settings
  const histories = await realHistories(environment, { histories: file, objects })
  if (settings.html !== undefined) await environment.mayReplace(settings.html)
  const papers = await reproduced(environment, { library, settings, histories })
  const reproduction = { settings, papers, histories }
  await writeFiles(environment, reproduction)
  if (settings.json === true) environment.out.write(reproductionJson(reproduction))
  else writeReproduction(environment.out, reproduction)
  const differs = papers.some(({ claims }) => claims.judged.some((each) => !each.asRecorded))
  return differs ? exitCode.differs : exitCode.done
}

async function reproduced(
  environment: Environment,
  run: {
    library: PaperLibrary
    settings: ReproduceSettings
    histories: readonly RecordedChanges[] | null
  },
): Promise<ReproducedPaper[]> {
  const { names, quick, seed, threads } = run.settings
  const bar = environment.progress({ label: 'Running the papers', total: 1000, writes: false })
  const shares = new Map(names.map((name) => [name, 0]))
  const results = await run.library
    .run({
      names,
      quick,
      seed,
      threads,
      histories: run.histories,
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

async function writeFiles(environment: Environment, reproduction: Reproduction): Promise<void> {
  const { settings, papers } = reproduction
  if (settings.html !== undefined)
    await environment.save(settings.html, await reproductionHtml(reproduction, environment))
  if (settings.out === undefined) return
  for (const { name, figures } of papers) {
    const folder = join(settings.out, name)
    await environment.makeFolder(folder)
    for (const { file, svg } of figures) await environment.save(join(folder, file), svg)
  }
}

/** What a run of the command came to. */
interface Reproduction {
  readonly settings: ReproduceSettings
  readonly papers: readonly ReproducedPaper[]
  /** Null where the real histories are absent. */
  readonly histories: readonly RecordedChanges[] | null
}
