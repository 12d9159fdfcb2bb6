import { createInterface } from 'node:readline/promises'

/** Asks on the terminal; anything but y or yes is a no. On stderr, so that results stay apart. */
export async function askPerson(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^\s*y(es)?\s*$/i.test(await asking.question(`${question} [y/N] `))
  } finally {
    asking.close()
  }
}
