import { DAY, HOUR, MINUTE, MONTH, type Seconds, YEAR } from '../../src/model/units.js'

const units = [
  { size: YEAR, name: 'y' },
  { size: MONTH, name: 'mo' },
  { size: DAY, name: 'd' },
  { size: HOUR, name: 'h' },
  { size: MINUTE, name: 'min' },
  { size: 1, name: 's' },
]

/** A duration short enough for an axis: 3d, 12h, 5min. */
export function shortDuration(value: Seconds): string {
  if (!(value > 0)) return '0'
  const unit = units.find(({ size }) => value >= size) ?? units[units.length - 1]!
  return `${Number((value / unit.size).toPrecision(2))}${unit.name}`
}
