import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EnvironmentError, InputError } from '../../model/index.js'

/** What a JavaScript file of the user's own exports. It is run: whoever names it vouches for it. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const file = await stat(path).catch(() => undefined)
  if (file === undefined)
    throw new EnvironmentError('unreadable-file', `cannot read ${path}: there is no such file`)
  if (!file.isFile())
    throw new EnvironmentError('unreadable-file', `cannot read ${path}: it is not a file`)
  const { href } = pathToFileURL(resolve(path))
  try {
    return await import(/* @vite-ignore */ href)
  } catch (cause) {
    throw fault(path, cause)
  }
}

function fault(path: string, cause: unknown): InputError {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof SyntaxError)
    return new InputError(
      'bad-module',
      `${path} does not parse: ${why}; node --check ${path} shows the line`,
      { cause },
    )
  return new InputError('bad-module', `${path} cannot be loaded: ${why}`, { cause })
}
