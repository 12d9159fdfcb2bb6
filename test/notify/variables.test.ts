import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { templateVariables } from '../../src/notify/message.js'

it('the guide has every variable of a template, with what it means', () => {
  const guide = readFileSync(new URL('../../docs/guides/notifications.md', import.meta.url), 'utf8')
  for (const [name, means] of Object.entries(templateVariables))
    expect(guide).toContain(`| \`{{${name}}}\` | ${means} |`)
})
