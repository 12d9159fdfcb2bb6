import { spawn } from 'node:child_process'
import { type NumberedNotice, notSent, type SendResult } from '../delivery.js'
import { variablesOf } from '../message.js'
import { channelKind } from './kind.js'

/** Milliseconds. */
const longest = 60_000
/** Letters of what it writes to standard error that are kept. */
const mostError = 300

/**
 * A command of one's own for each notice. Its words go to the system as they
 * are, without a shell; what a page says reaches it as JSON on standard input
 * and in the environment only. Whoever may add it may run anything as this
 * user: so the API takes none, and none runs unless the configuration says so.
 */
export const command = channelKind({
  kind: 'command',
  label: 'Command',
  help: 'Runs where the setting notify-commands is on; added by revisit notify add command, never by the API.',
  fields: {
    run: {
      type: 'list',
      label: 'The command and its words',
      most: 50,
      pattern: '^[^\\u0000]{1,4000}$',
    },
  },
  schemes: [],
  example: 'revisit notify add command /usr/local/bin/changed',
  leadsTo: ({ run }) => run[0]!,
})

/** Runs the command once for each notice. */
export async function runCommand(
  { run }: { readonly run: readonly string[] },
  [numbered]: readonly NumberedNotice[],
): Promise<SendResult> {
  const { id, notice } = numbered!
  const values = Object.entries(variablesOf(notice)).map(([name, value]) => [
    `REVISIT_${name.toUpperCase()}`,
    value.replaceAll('\0', ''),
  ])
  const { PATH, HOME, LANG } = process.env
  const [file, ...words] = run
  return new Promise((resolve) => {
    const child = spawn(file!, words, {
      env: { ...Object.fromEntries(values), PATH, HOME, LANG },
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: longest,
      killSignal: 'SIGKILL',
    })
    let error = ''
    child.stderr.on('data', (part) => {
      if (error.length < mostError) error += String(part)
    })
    child.on('error', ({ message }) => resolve(notSent('receiver', message)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve({ sent: true })
      const end = signal === null ? `exit code ${code}` : `ended by ${signal}`
      resolve(notSent('notice', `${end} ${error}`.trim()))
    })
    // A command need not read it.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify({ id, ...notice })}\n`)
  })
}
