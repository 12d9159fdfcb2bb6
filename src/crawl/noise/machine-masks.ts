import { contextAfter } from './context.js'
import { linkShape } from './link-shape.js'
import { type LookedPage, stableAfter, stableBefore } from './looked-page.js'
import type { Mask } from './noise.js'
import { couldBeMachineMade, formOf } from './token-form.js'
import type { Slot } from './varying-slots.js'

/** One mask a token, where every token that differs looks made by a machine; else null. */
export function machineMasks(slot: Slot, page: LookedPage & { values: string[][] }): Mask[] | null {
  const { values, named } = page
  const size = slot.end - slot.start
  if (size === 0 || values.some((each) => each.length !== size)) return null
  const masks: Mask[] = []
  for (let i = 0; i < size; i++) {
    const at = slot.start + i
    const tokens = values.map((each) => each[i]!)
    if (tokens.every((each) => each === tokens[0])) continue
    const around = {
      before: stableBefore(page, at, 2),
      after: contextAfter(named, { at: at + 1, most: stableAfter(page, at + 1, 2) }),
      example: tokens[0]!.replace('\u0001', '').slice(0, 200),
    }
    const shape = linkShape(tokens)
    const kind = shape === null ? commonForm(values, i, page.base[slot.end] ?? '') : null
    if (shape !== null) masks.push({ kind: 'link', shape, ...around, before: [], after: [] })
    else if (kind !== null) masks.push({ kind, ...around })
    else return null
  }
  return masks
}

function commonForm(
  values: readonly string[][],
  i: number,
  following: string,
): Exclude<Mask['kind'], 'run' | 'link'> | null {
  const forms = values.map((each) => formOf(each[i]!, each[i + 1] ?? following))
  if (forms.every((form) => form !== null && form === forms[0])) return forms[0]!
  const ids = forms.includes('id') && values.every((each) => couldBeMachineMade(each[i]!))
  return ids ? 'id' : null
}
