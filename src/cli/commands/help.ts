import { OptionError } from '../../model/errors.js'
import { plainCommand } from '../command.js'
import { exitCode } from '../environment.js'
import {
  fileName,
  flagName,
  retiredSettings,
  type SettingKey,
  settingText,
  settingTopics,
} from '../settings/settings.js'
import { wrappedText } from '../text/wrapped-text.js'

/** `revisit help settings [TOPIC]`; of a command, `revisit COMMAND --help` says it. */
export const helpCommand = plainCommand({
  description: 'How a command is used, or what can be set.',
  arguments: [['[WHAT...]', 'a command, or settings and a topic of theirs']],
  run({ out }, [[, ...topics]]) {
    const chosen = topics.map(topicNamed)
    const text = chosen.length === 0 ? allTopics() : chosen.map(topicText).join('\n')
    out.write(wrappedText(text, out.columns ?? 100))
    return exitCode.done
  },
})

type Topic = (typeof settingTopics)[number]

/** A topic, or the topic of one setting: both are what a person has in mind. */
function topicNamed(word: string): Topic {
  const name = word.replace(/^--/, '')
  const found = settingTopics.find(
    (each) => each.name === name || each.keys.some((key) => fileName(key) === name),
  )
  if (found !== undefined) return found
  if (retiredSettings.has(name))
    throw new OptionError('retired-setting', `the setting "${name}" changes nothing any more`)
  throw new OptionError(
    'unknown-topic',
    `there is no topic "${word}"; there are: ${settingTopics.map((each) => each.name).join(', ')}`,
  )
}

function allTopics(): string {
  const widest = Math.max(...settingTopics.map(({ name }) => name.length))
  const rows = settingTopics.map(
    ({ name, title, keys }) =>
      `  ${name.padEnd(widest)}  ${title}: ${keys.map((key) => fileName(key)).join(', ')}\n`,
  )
  return `Every setting is given on the command line (--delay 10s), in the environment (REVISIT_DELAY=10s) or in revisit.yaml (delay: 10s), in this order; commands on the store take all of them. revisit config prints what is in force.

Topics; revisit help settings TOPIC says what each setting is:
${rows.join('')}`
}

function topicText({ title, keys }: Topic): string {
  const widest = Math.max(...keys.map((key) => flagName(key).length))
  const row = (key: SettingKey) => `  ${flagName(key).padEnd(widest)}  ${settingText(key)}\n`
  return `Settings: ${title}\n${keys.map(row).join('')}`
}
