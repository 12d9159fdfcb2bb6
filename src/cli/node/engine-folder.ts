import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * A folder of an engine's own below `parent`, named by machine and process. An
 * engine that is killed leaves its own, gigabytes of it: the next one on the
 * machine takes away those whose process is gone. Others', of machines that
 * share the disk or of users that do, stay.
 */
export async function engineFolder(parent: string): Promise<string> {
  await removeLeft(parent)
  return mkdtemp(join(parent, `${prefix()}${process.pid}-`))
}

function prefix(): string {
  return `revisit-bulk-${hostname().replace(/[^\w.]/g, '_')}-`
}

async function removeLeft(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(prefix())) continue
    const pid = /^(\d+)-\w{6}$/.exec(name.slice(prefix().length))?.[1]
    if (pid === undefined || isRunning(Number(pid))) continue
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Whether there is such a process, of whatever user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
