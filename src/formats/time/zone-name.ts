import { HOUR, type Seconds } from '../../model/index.js'

/** Hours east of UTC. RFC 822 names the American zones; MET is UTC+1 and MEST UTC+2 by common use. */
const hours: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  'etc/gmt': 0,
  'etc/utc': 0,
  bst: 1,
  met: 1,
  cet: 1,
  mest: 2,
  cest: 2,
  eet: 2,
  eest: 3,
  jst: 9,
  et: -5,
  est: -5,
  edt: -4,
  ct: -6,
  cst: -6,
  cdt: -5,
  mt: -7,
  mst: -7,
  mdt: -6,
  pt: -8,
  pst: -8,
  pdt: -7,
}

/** Seconds east of UTC of a zone by its short name; NaN for a name we do not know. */
export function zoneOffset(name: string): Seconds {
  return (hours[name.toLowerCase()] ?? Number.NaN) * HOUR
}
