import { EnvironmentError } from '../../../model/errors.js'
import type { Configured } from '../../configured.js'

/** Where it cannot listen, and what to do about it; any other error as it came. */
export function listenFault(
  error: NodeJS.ErrnoException,
  { listen, port }: Configured['config'],
): unknown {
  if (error.code === undefined || !/^E[A-Z]+$/.test(error.code)) return error
  const [, host, given] = /^([^:]+):(\d+)$/.exec(listen) ?? []
  const otherwise =
    given === undefined
      ? 'choose others with --listen and --port'
      : `the port is given apart: --listen ${host} --port ${given}`
  const message = `cannot listen on ${listen}:${port} (${error.code}); ${otherwise}`
  return new EnvironmentError('cannot-listen', message, { cause: error })
}

/** Says at once where the service listens, for a person or a program. */
export function sayAddress(
  { crawler }: Configured,
  { service: { address }, json }: { service: { readonly address: string }; json: boolean },
): void {
  crawler.say(`${json ? JSON.stringify({ address }) : address}\n`)
}
