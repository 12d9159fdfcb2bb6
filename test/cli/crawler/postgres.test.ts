import { expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'

it('every command works on a PostgreSQL database, and says what is wrong with one', async () => {
  const site = await crawledSite()
  const url = new URL(await newDatabase())
  const at = (database: string) => ({ env: { ...site.env, REVISIT_DATABASE: database } })
  const revisit = (...args: string[]) => runCli(args, at(url.href))

  expect(await revisit('list')).toMatchObject({
    code: 3,
    err: expect.stringMatching(/there is no store at .* begin one with `revisit watch`/),
  })
  expect(await revisit('watch', `${site.base}/a`)).toMatchObject({ code: 0 })
  expect(await revisit('run', '--once')).toMatchObject({ code: 0 })
  const listed = await revisit('list', '--json')
  expect(listed.code).toBe(0)
  expect(listed.out).toContain('/a')
  expect(await revisit('check')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/in order: 1 page, 1 visit/),
  })
  expect(await revisit('backup', 'copy.db')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/pg_dump/),
  })
  const shown = await revisit('config')
  expect(shown.out).toContain(`@${url.host}${url.pathname}`)
  expect(shown.out).not.toContain(`:${url.password}@`)
  url.password = 'quite-wrong'
  const wrong = await runCli(['list'], at(url.href))
  expect(wrong).toMatchObject({ code: 3, err: expect.stringMatching(/does not let/) })
  expect(wrong.err).not.toContain('quite-wrong')
})
