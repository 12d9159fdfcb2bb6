import { OptionError } from '../../model/errors.js'
import { type CliCommand, type CommandEntry, type OptionLine, plainCommand } from '../command.js'
import { exitCode } from '../environment.js'
import {
  flagName,
  formerNames,
  retiredSettings,
  settingOptions,
  settingTopics,
} from '../settings/settings.js'

/** `revisit completion SHELL`: a script that completes commands, options and settings. */
export const completionCommand = plainCommand({
  description:
    'Prints a script by which a shell completes the commands of revisit, their options and the names of settings.',
  arguments: [['<SHELL>', 'bash, zsh or fish']],
  more: `Where to put it:
  bash  in ~/.bashrc: source <(revisit completion bash)
  zsh   in ~/.zshrc, after compinit: source <(revisit completion zsh)
  fish  revisit completion fish > ~/.config/fish/completions/revisit.fish`,
  async run({ out }, [shell], _, commands) {
    const write = scripts[shell]
    if (write === undefined)
      throw new OptionError('bad-shell', `completion takes bash, zsh or fish; got "${shell}"`)
    out.write(write(await places(commands)))
    return exitCode.done
  },
})

/** What may stand next, and what it does. */
interface Choice {
  readonly word: string
  readonly about: string
  /** Whether a value follows. */
  readonly takes: boolean
}

/** What can be written after some words: `notify add`; nothing for the first word. */
interface Place {
  readonly after: string
  readonly choices: readonly Choice[]
}

/** Every place there is. Loads the code of all commands: some 0.5 s, once. */
async function places(commands: readonly CommandEntry[]): Promise<Place[]> {
  const found: Place[] = [
    { after: '', choices: commands.map(({ name, summary }) => word(name, summary)) },
    {
      after: 'help',
      choices: [
        ...commands.map(({ name, summary }) => word(name, summary)),
        word('settings', 'what can be set'),
      ],
    },
    { after: 'help settings', choices: settingTopics.map(({ name, title }) => word(name, title)) },
    { after: 'completion', choices: ['bash', 'zsh', 'fish'].map((name) => word(name, name)) },
  ]
  for (const { name, load } of commands) {
    if (name === 'help' || name === 'completion') continue
    const declared = await load()
    if (!('subcommands' in declared)) {
      found.push({ after: name, choices: optionsOf(declared) })
      continue
    }
    const own = Object.entries(declared.subcommands)
    found.push({ after: name, choices: own.map(([each, { summary }]) => word(each, summary)) })
    for (const [each, { command }] of own)
      found.push({ after: `${name} ${each}`, choices: optionsOf(command) })
  }
  return found
}

function word(name: string, about: string): Choice {
  return { word: name, about, takes: false }
}

function optionsOf({ options, settings, ownSettings }: CliCommand): Choice[] {
  const own = [...options, ...(settings ? common : []), help].map(optionOf)
  if (!settings) return own
  const names = new Set(own.map((each) => each.word))
  const others = settingOptions(ownSettings)
    .map(({ written, about }) => optionOf([written, about]))
    .filter((each) => !former.has(each.word))
  return [...own, ...others.filter((each) => !names.has(each.word))]
}

/** Taken still, but not to be learned. */
const former = new Set([...Object.keys(formerNames), ...retiredSettings].map(flagName))

const common: readonly OptionLine[] = [
  ['-j, --json', 'for a program: JSON'],
  ['--config <file>', 'the configuration file'],
]
const help: OptionLine = ['-h, --help', 'say how it is used']

function optionOf([written, about]: OptionLine): Choice {
  return { word: /--[\w-]+/.exec(written)![0], about, takes: written.includes('<') }
}

const scripts: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** The words before the one that is written, options and their values left out: two at most. */
const placeInBash = `  local word=\${COMP_WORDS[COMP_CWORD]} place= each i
  for ((i = 1; i < COMP_CWORD; i++)); do
    each=\${COMP_WORDS[i]}
    [[ $each == -* ]] && break
    case " $two " in
      *" $place "*) ;;
      *) [[ -n $place ]] && break ;;
    esac
    place="\${place:+$place }$each"
  done`

function bashScript(all: readonly Place[]): string {
  const cases = all.map(
    ({ after, choices }) => `    ${quoted(after)}) words=${quoted(words(choices))} ;;`,
  )
  return `# Completes revisit in bash; in ~/.bashrc: source <(revisit completion bash)
_revisit() {
  local two=${quoted(inner(all))} words=
${placeInBash}
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  # Names of files complete where no option and no command is written.
  [[ $word == -* || $words != -* ]] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _revisit revisit
`
}

function zshScript(all: readonly Place[]): string {
  const described = ({ word: name, about }: Choice) =>
    quoted(`${name.replaceAll(':', '\\:')}:${about.replaceAll(':', '\\:')}`)
  const cases = all.map(
    ({ after, choices }) =>
      `    ${quoted(after)}) choices=(${choices.map(described).join(' ')}) ;;`,
  )
  return `#compdef revisit
# Completes revisit in zsh; in ~/.zshrc, after compinit: source <(revisit completion zsh)
_revisit() {
  local -a choices
  local two=${quoted(inner(all))} place= each i
  for ((i = 2; i < CURRENT; i++)); do
    each=$words[i]
    [[ $each == -* ]] && break
    [[ -n $place && " $two " != *" $place "* ]] && break
    place="\${place:+$place }$each"
  done
  case "$place" in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT] == -* || $choices[1] != -* ]]; then _describe -t words revisit choices
  else _files
  fi
}
compdef _revisit revisit
`
}

function fishScript(all: readonly Place[]): string {
  const lines = all.flatMap(({ after, choices }) => {
    const at =
      after === ''
        ? '__fish_use_subcommand'
        : after
            .split(' ')
            .map((each) => `__fish_seen_subcommand_from ${each}`)
            .join('; and ')
    return choices.map(({ word: name, about, takes }) => {
      const what = name.startsWith('--')
        ? `-l ${name.slice(2)}${takes ? ' -r' : ''}`
        : `-f -a ${name}`
      return `complete -c revisit -n ${quoted(at)} ${what} -d ${quoted(about)}`
    })
  })
  return `# Completes revisit in fish; put it into ~/.config/fish/completions/revisit.fish\n${lines.join('\n')}\n`
}

/** Commands after which another word is expected, for the scripts to know how far to read. */
function inner(all: readonly Place[]): string {
  return all
    .filter(({ after, choices }) => after !== '' && !choices[0]?.word.startsWith('-'))
    .map(({ after }) => after)
    .join('  ')
}

function words(choices: readonly Choice[]): string {
  return choices.map((each) => each.word).join(' ')
}

/** For any of the shells: a quote ends the text, stands escaped, and begins it anew. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
