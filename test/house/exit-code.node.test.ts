import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const server = new URL('../../scripts/postgres-server.mjs', import.meta.url)

/** The package that PostgreSQL comes in ended every process with 0, a failed run of tests as well. */
it('a process that had a PostgreSQL keeps its exit code', () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(server.href)}
    const server = await startPostgres()
    await server.stop()
    process.exitCode = 3
  `
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
  )
  expect({ status, stderr }).toEqual({ status: 3, stderr: '' })
})
