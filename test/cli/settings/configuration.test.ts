import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configFile } from '../../../src/cli/settings/config-file.js'
import { effectiveConfiguration } from '../../../src/cli/settings/configuration.js'
import {
  fileName,
  flagName,
  formerNames,
  type Setting,
  settingKeys,
  settings,
  variableName,
} from '../../../src/cli/settings/settings.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const none = { flags: {}, env: {} }

describe('effectiveConfiguration', () => {
  it('takes the command line over the environment over the file over the default', () => {
    const file = {
      path: 'r.yaml',
      values: configFile('delay: 1s\ncollection: f\ncontact: a@b.c', ''),
    }
    const env = { REVISIT_DELAY: '2s', REVISIT_COLLECTION: 'e' }
    const { values, origins } = effectiveConfiguration({
      flags: { delay: '3s' },
      env,
      file,
    })
    expect(values).toMatchObject({ delay: 3, collection: 'e', contact: 'a@b.c', concurrency: 16 })
    expect(origins).toMatchObject({
      delay: '--delay',
      collection: 'REVISIT_COLLECTION',
      contact: 'r.yaml',
      concurrency: 'default',
    })
  })

  it('follows hints by default, in the file, the environment or by --no-hints', () => {
    const of = (more: object) => effectiveConfiguration({ ...none, ...more }).values.hints
    const file = { path: 'r.yaml', values: configFile('hints: off', 'r.yaml') }
    expect(of({})).toBe(true)
    expect(of({ file })).toBe(false)
    expect(of({ file, env: { REVISIT_HINTS: 'on' } })).toBe(true)
    expect(of({ env: { REVISIT_HINTS: 'on' }, flags: { hints: false } })).toBe(false)
    expect(settings.hints.kind.write(false)).toBe('off')
  })

  it('takes an objective for all pages and others by group, as a map or as text', () => {
    const of = (more: object) => {
      const { objective, groupObjectives } = effectiveConfiguration({ ...none, ...more }).values
      return [objective, groupObjectives]
    }
    const text = 'objective: delay\ngroup-objectives:\n  prices: changes-caught\n  a=b: freshness'
    const file = { path: 'r.yaml', values: configFile(text, 'r.yaml') }
    const inFile = { prices: 'changes-caught', 'a=b': 'freshness' }
    expect(of({})).toEqual(['freshness', {}])
    expect(of({ file })).toEqual(['delay', inFile])
    const env = { REVISIT_GROUP_OBJECTIVES: 'prices=delay, h.example=freshness' }
    const given = { prices: 'delay', 'h.example': 'freshness' }
    expect(of({ file, env })).toEqual(['delay', given])
    expect(of({ file, flags: { objective: 'changes-caught' } })).toEqual(['changes-caught', inFile])
    const { kind } = settings.groupObjectives
    expect(kind.read(kind.write(kind.read('a=b=freshness')!))).toEqual({ 'a=b': 'freshness' })
  })

  it('writes every default so that it reads back as the same value', () => {
    for (const key of settingKeys) {
      const { kind, default: standard } = settings[key] as Setting<unknown>
      expect(kind.read(kind.write(standard)), key).toEqual(standard)
    }
  })

  it('reads durations, sizes, shares, lists and none', () => {
    const text = [
      'delay: 0',
      'whole-time: 1.5min',
      'body-bytes: 2MB',
      'header-bytes: 16KiB',
      'unconditional-share: 10%',
      'allowed-networks: [127.0.0.0/8, "::1"]',
      'requests-per-day: none',
      'host-requests-per-day: 500',
      'drop-tracking: yes',
      'neighbours: [Docs.example.org, "localhost:8080"]',
    ].join('\n')
    const file = { path: 'r.yaml', values: configFile(text, 'r.yaml') }
    expect(effectiveConfiguration({ ...none, file }).values).toMatchObject({
      delay: 0,
      wholeTime: 90,
      bodyBytes: 2e6,
      headerBytes: 16384,
      unconditionalShare: 0.1,
      allowedNetworks: ['127.0.0.0/8', '::1'],
      requestsPerDay: null,
      hostRequestsPerDay: 500,
      dropTracking: true,
      neighbours: ['docs.example.org', 'localhost:8080'],
    })
  })

  it('refuses unknown keys by name, and guesses what was meant', () => {
    expect(() => configFile('dely: 5s', 'r.yaml')).toThrow(
      'r.yaml: there is no setting "dely"; did you mean "delay"?',
    )
    expect(() => configFile('colour: red', 'r.yaml')).toThrow(
      /no setting "colour"; `revisit config`/,
    )
    expect(() => effectiveConfiguration({ ...none, env: { REVISIT_DELEY: '1s' } })).toThrow(
      /REVISIT_DELEY.*did you mean REVISIT_DELAY/,
    )
    // Others with our prefix are not ours to judge.
    effectiveConfiguration({ ...none, env: { REVISIT_SHARED: '/x' } })
  })

  it.each([
    ['delay', 'soon', /^--delay takes a duration such as 200ms, 5s, [^;]*; got "soon"$/],
    [
      'unconditionalShare',
      '5',
      /^--unconditional-share takes a share from 0 to 1, [^;]*; got "5"$/,
    ],
    ['unconditionalShare', '101%', /got "101%"$/],
    ['contact', 'me', /is no contact/],
    ['neighbours', 'https://a.example/', /--neighbours takes hosts such as example.org/],
    ['policy', 'best', /^--policy: there is no policy "best"; there are: auto, fixed/],
    [
      'objective',
      'speed',
      /^--objective: there is no objective "speed"; there are: freshness, delay/,
    ],
    ['groupObjectives', 'prices', /^--group-objectives takes groups with their objectives/],
    ['groupObjectives', 'a=speed', /^--group-objectives: there is no objective "speed"/],
    ['concurrency', '0', /--concurrency takes a whole number from 1/],
    ['bodyBytes', '5 apples', /--body-bytes takes a size/],
    ['hours', 'noon', /^--hours: hours are written like [^;]*; [^;]*; got "noon"$/],
    ['allowedNetworks', 'home', /is no network/],
    ['dropTracking', 'perhaps', /true or false/],
    ['leaseTime', '10s', /must be longer than whole-time/],
  ])('refuses a bad %s', (key, value, message) => {
    expect(() => effectiveConfiguration({ ...none, flags: { [key]: value } })).toThrow(message)
  })

  it.each([
    ['delay', '200ms', 0.2],
    ['delay', '0', 0],
    ['unconditionalShare', '0', 0],
    ['unconditionalShare', '100%', 1],
    ['unconditionalShare', '5%', 0.05],
  ] as const)('reads --%s %s', (key, value, read) => {
    expect(effectiveConfiguration({ ...none, flags: { [key]: value } }).values[key]).toBe(read)
  })

  it('takes a setting under the name it had before, from wherever it comes, and says so', () => {
    const file = { path: 'r.yaml', values: configFile('look-again: 7s', 'r.yaml') }
    const sources = [
      [{ file }, 'look-again in r.yaml is called poll-every in r.yaml now; change it'],
      [
        { file, env: { REVISIT_LOOK_AGAIN: '7s' } },
        'REVISIT_LOOK_AGAIN is called REVISIT_POLL_EVERY now; change it',
      ],
      [
        { file, env: { REVISIT_POLL_EVERY: '9s' }, flags: { lookAgain: '7s' } },
        '--look-again is called --poll-every now; change it',
      ],
    ] as const
    for (const [source, warning] of sources) {
      const { values, warnings } = effectiveConfiguration({ ...none, ...source })
      expect(values.pollEvery).toBe(7)
      expect(warnings).toEqual([warning])
    }
    // The name of today goes before the one of yesterday, and is nothing to warn of.
    const both = { env: { REVISIT_POLL_EVERY: '9s', REVISIT_LOOK_AGAIN: '7s' } }
    const { values, warnings } = effectiveConfiguration({ ...none, ...both })
    expect([values.pollEvery, warnings]).toEqual([9, []])
    for (const [former, key] of Object.entries(formerNames)) {
      expect(settingKeys).not.toContain(former)
      expect(settingKeys).toContain(key)
    }
  })

  it('names the line of broken YAML', () => {
    expect(() => configFile('delay: 5s\ndelay: 6s', 'r.yaml')).toThrow(
      /^line 2: r\.yaml is no YAML/,
    )
    expect(() => configFile('- 1', 'r.yaml')).toThrow(/holds no settings/)
    expect(configFile('# nothing', 'r.yaml').size).toBe(0)
  })
})

describe('revisit config', () => {
  it('prints the effective configuration with its origins', async () => {
    const folder = tempFolder()
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub', 'r.yaml'), 'database: data.db\ndelay: 10s\n')
    const args = ['config', '--config', 'sub/r.yaml', '--concurrency', '3']
    const env = { REVISIT_CONTACT: 'a@b.org' }
    const { code, out, err } = await runCli([...args, '--json'], { cwd: folder, env })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({
      // A path in a file is meant from where the file is.
      database: { value: 'sub/data.db', from: 'sub/r.yaml' },
      delay: { value: 10, from: 'sub/r.yaml' },
      concurrency: { value: 3, from: '--concurrency' },
      contact: { value: 'a@b.org', from: 'REVISIT_CONTACT' },
      collection: { value: 'default', from: 'default' },
      hints: { value: true, from: 'default' },
    })
    const deaf = await runCli([...args, '--json', '--no-hints'], { cwd: folder, env })
    expect(JSON.parse(deaf.out)).toMatchObject({ hints: { value: false, from: '--hints' } })
    const off = await runCli([...args, '--json'], { cwd: folder, env: { REVISIT_HINTS: 'off' } })
    expect(JSON.parse(off.out)).toMatchObject({ hints: { value: false, from: 'REVISIT_HINTS' } })
    const former = await runCli([...args, '--json', '--look-again', '7s'], { cwd: folder, env })
    expect(JSON.parse(former.out)).toMatchObject({ 'poll-every': { value: 7 } })
    expect(former.err).toBe('--look-again is called --poll-every now; change it\n')
    const text = await runCli(args, { cwd: folder, env })
    expect(text.out).toMatch(/^delay +10s +sub\/r\.yaml +rest of a host/m)
    const bad = await runCli(['list', '--config', 'none.yaml'], { cwd: folder })
    expect(bad).toMatchObject({ code: 3 })
  })

  it('is documented setting by setting', () => {
    const page = readFileSync('docs/reference/configuration.md', 'utf8')
    for (const key of settingKeys) {
      const { kind, default: standard, summary } = settings[key] as Setting<unknown>
      const names = `| \`${fileName(key)}\` | \`${variableName(key)}\` | \`${flagName(key)}\` |`
      expect(page).toContain(`${names} ${kind.write(standard)} | ${summary} |`)
    }
  })
})
