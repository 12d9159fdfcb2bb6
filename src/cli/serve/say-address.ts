import type { Configured } from '../crawler/configured.js'

/** Says at once where the service listens, for a person or a program. */
export function sayAddress(
  { crawler }: Configured,
  { service: { address }, json }: { service: { readonly address: string }; json: boolean },
): void {
  crawler.say(`${json ? JSON.stringify({ address }) : address}\n`)
}
