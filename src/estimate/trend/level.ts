import { OptionError } from '../../model/index.js'

/** Refuses a level at which no bounds exist. */
export function checkedLevel(level = 0.95): number {
  if (level > 0 && level < 1) return level
  throw new OptionError('bad-level', `level ${level}: give a number between 0 and 1, such as 0.95`)
}
