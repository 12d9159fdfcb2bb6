import { linkMark } from '../read/compare/words-and-links.js'
import { couldBeMachineMade, isMachineMade } from './token-form.js'

const marks = /([/?&=#;]+)/
export const varying = '▒'

/** The fixed parts of an address that differs between two looks in machine-made parts only; else null. */
export function linkShape(values: readonly string[]): string | null {
  if (!values.every((each) => each.startsWith(linkMark))) return null
  const split = values.map((each) => each.split(marks))
  const [first] = split
  if (first === undefined || split.some((each) => each.length !== first.length)) return null
  const shape = first.map((part, i) => {
    const parts = split.map((each) => each[i]!)
    if (parts.every((each) => each === part)) return part
    return parts.some(isMachineMade) && parts.every(couldBeMachineMade) ? varying : null
  })
  return shape.includes(null) ? null : shape.join('')
}

/** Whether an address has these fixed parts. */
export function hasShape(link: string, shape: string): boolean {
  const [parts, wanted] = [link.split(marks), shape.split(marks)]
  if (parts.length !== wanted.length) return false
  return wanted.every((part, i) =>
    part === varying ? couldBeMachineMade(parts[i]!) : part === parts[i],
  )
}
