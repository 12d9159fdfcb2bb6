import { stepForms } from '../../../../src/model/browser-steps.js'
import { humanDuration, readDuration } from '../../../../src/model/duration.js'
import type { Json } from '../../../../src/model/units.js'
import { policyKinds } from '../../../../src/planner/registry.js'
import { objectives } from '../../../../src/planner/value/objective.js'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'

/** Where a field's value is kept: with the page, among its settings, in its rules of reading or of discovery. */
type Place = 'page' | 'settings' | 'reading' | 'discover'

/** One setting of a page, as a form has it and as the API takes it. */
export interface SettingField {
  readonly name: string
  readonly place: Place
  readonly label: string
  readonly help?: string
  readonly kind: 'text' | 'lines' | 'words' | 'number' | 'duration' | 'choice' | 'yes-no'
  readonly choices?: readonly string[]
  /** In words, what holds where nothing is set. */
  readonly usual: string
}

export interface FieldGroup {
  readonly title: string
  readonly fields: readonly SettingField[]
}

/** As `revisit watch --discover` has it. */
const defaultDiscovery = { depth: 3, pages: 1000 }

const reading = 'reading' as const
const settings = 'settings' as const

/** Every setting that a page can have of its own, but headers, whose values are not shown. */
export const fieldGroups: readonly FieldGroup[] = [
  {
    title: 'What is compared',
    fields: [
      lines('select', 'Only these parts', 'CSS selectors, one a line: #prices, .news li', 'all'),
      lines('ignore', 'Without these parts', 'CSS selectors, one a line: .ad, footer', 'none'),
      lines('ignoreLines', 'Without lines that match', 'regular expressions, one a line', 'none'),
      lines('ignoreText', 'Without text that matches', 'regular expressions, one a line', 'none'),
      lines('ignorePaths', 'Without paths of JSON', 'one a line: $.meta.time, $..updated', 'none'),
      {
        name: 'compare',
        place: reading,
        label: 'Compared by',
        kind: 'choice',
        choices: ['bytes', 'text', 'words-and-links', 'near-duplicate', 'pixels'],
        usual: 'text',
      },
      {
        name: 'bits',
        place: reading,
        label: 'Bits that may differ',
        help: 'near-duplicate only: 0 to 32 of 64',
        kind: 'number',
        usual: '3',
      },
      {
        name: 'pixels',
        place: reading,
        label: 'Pixels that may differ',
        help: 'pixels only, of a hundred; needs the browser',
        kind: 'number',
        usual: '0.1',
      },
      {
        name: 'noiseCheck',
        place: settings,
        label: 'Check twice to tell noise from change',
        kind: 'yes-no',
        usual: 'no',
      },
      {
        name: 'hideNewTexts',
        place: settings,
        label: 'Hide new texts too, where several take turns',
        help: 'advertisements, quotes: by default a text that is new there counts',
        kind: 'yes-no',
        usual: 'no',
      },
    ],
  },
  {
    title: 'What counts as a change',
    fields: [
      lines('appear', 'Only when one of these appears', 'words or phrases, one a line', 'any'),
      lines('disappear', 'or one of these disappears', 'words or phrases, one a line', 'any'),
    ],
  },
  {
    title: 'When it is visited',
    fields: [
      {
        name: 'hours',
        place: settings,
        label: 'Only in these hours, in UTC',
        help: 'mon-fri 8-18; sat 10-12',
        kind: 'text',
        usual: 'at any hour',
      },
      duration('shortest', 'Never again sooner than', 'no limit of its own'),
      duration('longest', 'Never left longer than', 'no limit of its own'),
      {
        name: 'policy',
        place: settings,
        label: 'A policy of its own',
        help: 'with its parameters, such as fixed:gap=1d',
        kind: 'text',
        choices: policyKinds.map(({ name }) => name),
        usual: 'that of all pages',
      },
      {
        name: 'objective',
        place: settings,
        label: 'Visited for',
        kind: 'choice',
        choices: objectives,
        usual: 'for what all pages are',
      },
      {
        name: 'importance',
        place: 'page',
        label: 'Importance beside other pages',
        kind: 'number',
        usual: '1',
      },
    ],
  },
  {
    title: 'How it is fetched',
    fields: [
      {
        name: 'browser',
        place: settings,
        label: 'Let a browser render it',
        help: 'for pages that scripts make; needs a Chromium',
        kind: 'yes-no',
        usual: 'no',
      },
      {
        name: 'screenshot',
        place: settings,
        label: 'Keep screenshots',
        help: 'with the browser: one with each version, beside what changed',
        kind: 'yes-no',
        usual: 'no',
      },
      {
        name: 'proxy',
        place: settings,
        label: 'A proxy of its own',
        help: 'http://host:3128, https://… or socks5://…; its password is not shown',
        kind: 'text',
        usual: 'that of all pages',
      },
      {
        name: 'steps',
        place: settings,
        label: 'Steps in the browser before it counts',
        help: `one a line: ${stepForms}`,
        kind: 'lines',
        usual: 'none',
      },
    ],
  },
  {
    title: 'Where it belongs',
    fields: [
      {
        name: 'title',
        place: settings,
        label: 'A title of your own',
        kind: 'text',
        usual: 'that of the page',
      },
      {
        name: 'mute',
        place: settings,
        label: 'Notify nobody of it',
        help: 'it still comes into the inbox',
        kind: 'yes-no',
        choices: ['yes'],
        usual: 'no',
      },
      {
        name: 'group',
        place: 'page',
        label: 'Group',
        help: 'pages that change alike; Revisit learns by group',
        kind: 'text',
        usual: 'none',
      },
      {
        name: 'tags',
        place: 'page',
        label: 'Tags',
        help: 'further groups to find it by, with commas between',
        kind: 'words',
        usual: 'none',
      },
    ],
  },
  {
    title: 'Pages that it leads to',
    fields: [
      {
        name: 'follow',
        place: 'discover',
        label: 'Follow them too',
        help: 'links within its host, sitemaps, feeds',
        kind: 'yes-no',
        usual: 'no',
      },
      {
        name: 'depth',
        place: 'discover',
        label: 'Links one after another',
        kind: 'number',
        usual: String(defaultDiscovery.depth),
      },
      {
        name: 'pages',
        place: 'discover',
        label: 'Pages of a host at most',
        kind: 'number',
        usual: String(defaultDiscovery.pages),
      },
      {
        name: 'include',
        place: 'discover',
        label: 'Only addresses like',
        help: 'one a line: /docs/*, *.html',
        kind: 'lines',
        usual: 'any',
      },
      {
        name: 'exclude',
        place: 'discover',
        label: 'No addresses like',
        help: 'one a line',
        kind: 'lines',
        usual: 'none',
      },
    ],
  },
]

function lines(name: string, label: string, help: string, usual: string): SettingField {
  return { name, place: reading, label, help, kind: 'lines', usual }
}

function duration(name: string, label: string, usual: string): SettingField {
  return { name, place: settings, label, help: '30min, 12h, 3d', kind: 'duration', usual }
}

export const allFields: readonly SettingField[] = fieldGroups.flatMap(({ fields }) => fields)

/** What is set; undefined where nothing is. */
export function valueIn(page: PageAnswer, { name, place }: SettingField): Json | undefined {
  const rules = (page.settings.reading ?? {}) as Readonly<Record<string, Json | undefined>>
  const discover = page.settings.discover as Readonly<Record<string, Json>> | null | undefined
  const holders: Readonly<Record<Place, Readonly<Record<string, Json | undefined>>>> = {
    page: page as unknown as Readonly<Record<string, Json | undefined>>,
    settings: page.settings,
    reading: rules,
    discover: discover ? { ...discover, follow: true } : {},
  }
  const value = holders[place][name]
  if (Array.isArray(value) && value.length === 0) return undefined
  return name === 'importance' && value === 1 ? undefined : value
}

/** A value as the form shows it; empty where nothing is set. */
export function textOf(value: Json | undefined, { kind }: SettingField): string {
  if (value === undefined || value === null) return ''
  if (kind === 'lines') return (value as string[]).join('\n')
  if (kind === 'words') return (value as string[]).join(', ')
  if (kind === 'duration') return humanDuration(Number(value))
  // Muted until a time is muted.
  if (kind === 'yes-no') return value === true || typeof value === 'number' ? 'yes' : 'no'
  return String(value)
}

/** What a person wrote, as the API takes it; undefined for nothing, an Error where it means nothing. */
export function readText(text: string, field: SettingField): Json | undefined | Error {
  const { kind, label } = field
  const bare = text.trim()
  if (bare === '') return undefined
  if (kind === 'lines') return split(bare, /\r?\n/)
  if (kind === 'words') return split(bare, /[,\n]/)
  if (kind === 'yes-no') return bare === 'yes'
  if (kind === 'number') {
    const value = Number(bare)
    return Number.isFinite(value) ? value : new Error(`${label}: “${bare}” is no number.`)
  }
  if (kind === 'duration') {
    const seconds = readDuration(bare)
    if (seconds !== undefined && seconds > 0) return seconds
    return new Error(`${label}: write a number and a unit, such as 30min, 12h or 3d.`)
  }
  return bare
}

function split(text: string, at: RegExp): string[] {
  return text
    .split(at)
    .map((each) => each.trim())
    .filter(Boolean)
}
