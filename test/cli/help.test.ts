import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.js'
import { fileName, flagName, settingKeys, settingTopics } from '../../src/cli/settings/settings.js'
import { runCli } from '../fixtures/run-cli.js'
import { runHere } from '../fixtures/small-environment.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describe('the help', () => {
  it('names every command, within 80 columns', async () => {
    const { code, out } = await runHere(['--help'], { columns: 80 })
    expect(code).toBe(0)
    for (const { name, summary } of commands)
      expect(out).toMatch(
        new RegExp(`^  ${name} +${summary.slice(0, 20).replace(/[.?*]/g, '.')}`, 'm'),
      )
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThan(85)
    expect((await runHere(['help'], { columns: 80 })).out).toBe(out)
  })

  it.each(commands.filter(({ name }) => name !== 'help'))(
    'of $name is the same either way, and fits',
    async ({ name }) => {
      const { code, out } = await runHere([name, '--help'], { columns: 80 })
      expect(code).toBe(0)
      expect(out).toContain(`Usage: revisit ${name}`)
      const examples = /^ {2}(revisit|zcat|export default) /
      for (const line of out.split('\n'))
        if (!examples.test(line)) expect(line.length, line).toBeLessThan(82)
      expect((await runHere(['help', name], { columns: 80 })).out).toBe(out)
    },
  )

  it('of a command that there is not is a refusal', async () => {
    const { code, err } = await runHere(['help', 'lits'])
    expect(code).toBe(2)
    expect(err).toContain("unknown command 'lits' (did you mean list?)")
  })

  it("has a command's own options and not the settings, which have topics", async () => {
    const { out } = await runHere(['run', '--help'])
    expect(out).toContain('--once')
    expect(out).not.toContain('--delay')
    expect(out).toContain('revisit help settings')
    const keys = settingTopics.flatMap((topic) => topic.keys)
    // Accepted still, and no use to anybody.
    const named = settingKeys.filter((key) => key !== 'neighbours')
    expect([...keys].sort()).toEqual([...named].sort())
    const all = (await runHere(['help', 'settings'])).out
    expect(all).not.toContain('neighbours')
    for (const key of named) expect(all).toMatch(new RegExp(`\\b${fileName(key)}\\b`))
    for (const { name, keys: own } of settingTopics) {
      const topic = (await runHere(['help', 'settings', name])).out
      for (const key of own) expect(topic).toMatch(new RegExp(`^ {2}${flagName(key)} `, 'm'))
    }
    const one = (await runHere(['help', 'settings', 'delay'])).out
    expect(one).toMatch(/--delay +rest of a host between two requests \(default: 5s\)/)
    const none = await runHere(['help', 'settings', 'colours'])
    expect(none.code).toBe(2)
    expect(none.err).toMatch(/there is no topic "colours"; there are: basics, planning/)
  })

  it('loads no command, no settings and no package but commander to list them all', () => {
    // What is imported is steadier than a time: 0.1 s of processor, where all commands take 0.5 s.
    const files = new Set<string>()
    const packages = new Set<string>()
    const visit = (file: string) => {
      if (files.has(file)) return
      files.add(file)
      const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*?from '([^']+)'/gm)
      for (const [, name = ''] of found)
        if (name.startsWith('.')) visit(join(dirname(file), name))
        else if (!name.startsWith('node:')) packages.add(name)
    }
    visit('dist/cli/main.js')
    expect([...files].filter((file) => /commands\/|settings\//.test(file))).toEqual([])
    expect(files.size).toBeLessThan(25)
    expect([...packages]).toEqual(['commander'])
  })
})

describe('revisit completion', () => {
  it('completes commands, options and settings in bash', async () => {
    const { code, out } = await runCli(['completion', 'bash'])
    expect(code).toBe(0)
    const script = join(tempFolder(), 'revisit.bash')
    writeFileSync(script, out)
    const completed = (...words: string[]) => {
      const array = words.map((each) => `'${each}'`).join(' ')
      const ask = `source '${script}'; COMP_WORDS=(revisit ${array}); COMP_CWORD=${words.length}; _revisit; echo "\${COMPREPLY[*]}"`
      return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trim()
    }
    expect(completed('unw')).toBe('unwatch')
    expect(completed('notify', '')).toBe('add list kinds test on off remove deliveries')
    expect(completed('notify', 'add', 'webhook', 'https://e.org', '--si')).toBe('--silent-for')
    expect(completed('run', '--once', '--poll')).toBe('--poll-every')
    expect(completed('run', '--look')).toBe('')
    expect(completed('help', 'settings', 'pol')).toBe('politeness')
    // What follows is a file: the shell's own completion takes over.
    expect(completed('estimate', 'vis')).toBe('')
  })

  it('has a script for zsh and for fish, and refuses others', async () => {
    const zsh = (await runCli(['completion', 'zsh'])).out
    expect(zsh).toMatch(/^#compdef revisit\n/)
    expect(zsh).toContain("'watch:follow pages from now on'")
    const fish = (await runCli(['completion', 'fish'])).out
    expect(fish).toContain(
      "complete -c revisit -n '__fish_seen_subcommand_from watch' -l group -r -d",
    )
    expect((await runCli(['completion', 'tcsh'])).err).toMatch(
      /takes bash, zsh or fish; got "tcsh"/,
    )
  })
})
