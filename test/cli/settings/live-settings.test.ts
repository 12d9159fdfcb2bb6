import { describe, expect, it } from 'vitest'
import { effectiveConfiguration } from '../../../src/cli/settings/configuration.js'
import { LiveSettings } from '../../../src/cli/settings/live-settings.js'
import { openMemoryStore } from '../../../src/store/memory/store.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

/** The settings of a process that was started with these variables. */
function process(env: Readonly<Record<string, string>> = {}): LiveSettings {
  return new LiveSettings(effectiveConfiguration({ flags: {}, env }))
}

describe('settings that are changed while processes run', () => {
  it('hold for every process whose configuration says the same, and outlast a restart', async () => {
    const store = openMemoryStore()
    const [one, other] = [process(), process()]
    const seen: unknown[] = []
    other.onChange(({ delay }) => seen.push(delay))
    await other.read(store)
    await one.change(store, { delay: '20s', contact: 'me@example.org', hours: 'mon 8-9' }, 1)
    expect(one.values).toMatchObject({ delay: 20, contact: 'me@example.org', hours: 'mon 8-9' })
    expect(one.values.keepVersions).toBe(10)
    await other.read(store)
    await other.read(store)
    expect(seen).toEqual([20])
    const later = process()
    await later.read(store)
    expect(later.values.delay).toBe(20)
    expect(later.origin('delay')).toBe('set while running')
    await later.change(store, { delay: null }, 2)
    expect(later.values).toMatchObject({ delay: 5, contact: 'me@example.org' })
    await one.read(store)
    expect(one.values.delay).toBe(5)
  })

  it('give way to a configuration that says something else since', async () => {
    const store = openMemoryStore()
    const before = process({ REVISIT_DELAY: '7s' })
    await before.change(store, { delay: '20s' }, 1)
    const row = before.rows().find(({ name }) => name === 'delay')
    expect(row).toMatchObject({
      value: '20s',
      from: 'set while running',
      configured: '7s',
      configuredFrom: 'REVISIT_DELAY',
      setAt: 1,
    })
    const after = process({ REVISIT_DELAY: '8s' })
    await after.read(store)
    expect(after.values.delay).toBe(8)
    expect(after.rows().find(({ name }) => name === 'delay')).toMatchObject({
      value: '8s',
      from: 'REVISIT_DELAY',
      setAt: null,
    })
  })

  it('are refused, all of them, where one is wrong or not to be changed', async () => {
    const store = openMemoryStore()
    const live = process()
    const refused = (changes: Record<string, string>) =>
      live.change(store, { delay: '20s', ...changes }, 1).then(
        () => 'taken',
        ({ code }) => code,
      )
    expect(await refused({ hours: 'whenever' })).toBe('bad-setting')
    expect(await refused({ contact: 'nobody' })).toBe('bad-setting')
    expect(await refused({ 'keep-versions': '0' })).toBe('bad-setting')
    expect(await refused({ colour: 'red' })).toBe('unknown-setting')
    // Whoever reaches the API runs no command and reads no file of this machine.
    for (const name of ['notify-commands', 'database', 'listen', 'require-key', 'budget'])
      expect(await refused({ [name]: 'true' }), name).toBe('fixed-setting')
    expect(live.values.delay).toBe(5)
    expect(await store.settings('default')).toEqual({})
  })

  it('show no password, and take none back that was not shown', async () => {
    const store = openMemoryStore()
    const live = process({ REVISIT_SMTP: 'smtp://me:pw-one@mail.example.org' })
    await live.change(store, { smtp: 'smtp://me:pw-two@mail.example.org' }, 1)
    expect(live.values.smtp).toBe('smtp://me:pw-two@mail.example.org')
    expect(JSON.stringify(live.rows())).not.toMatch(/pw-one|pw-two/)
    const kept = JSON.stringify(await store.settings('default'))
    expect(kept).not.toContain('pw-one')
    await expect(
      live.change(store, { smtp: 'smtp://me:(not shown)@mail.example.org' }, 2),
    ).rejects.toMatchObject({ code: 'bad-setting' })
  })

  it('that nobody can read, since a later version wrote them, count for nothing', async () => {
    const store = openMemoryStore()
    const live = process()
    await live.change(store, { delay: '20s' }, 1)
    const [[name, kept]] = Object.entries(await store.settings('default')) as [[string, object]]
    const delay = (kept as { delay: object }).delay
    await store.putSetting('default', name, { delay: { ...delay, text: '3 fortnights' } })
    await live.read(store)
    expect(live.values.delay).toBe(5)
    expect(live.origin('delay')).toBe('default')
  })
})

describe('revisit config --set', () => {
  it('keeps a setting in the store, which the next command goes by', async () => {
    const { revisit } = await crawledSite()
    const shown = async () => JSON.parse((await revisit(['config', '--json'])).out)
    expect((await shown()).contact).toEqual({ value: null, from: 'default' })
    const set = await revisit([
      'config',
      '--set',
      'contact=me@example.org',
      '--set',
      'hours=mon 8-9',
    ])
    expect(set.out).toMatch(/contact +me@example\.org +set while running/)
    expect((await shown()).contact).toEqual({ value: 'me@example.org', from: 'set while running' })
    await revisit(['config', '--unset', 'contact'])
    expect((await shown()).contact).toEqual({ value: null, from: 'default' })
    expect((await revisit(['config', '--set', 'contact'])).err).toMatch(/NAME=VALUE/)
    expect((await revisit(['config', '--set', 'port=1'])).err).toMatch(/cannot be changed while/)
  })
})
