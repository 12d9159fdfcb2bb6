import type { GroupChangeLaw } from '../posterior/posterior.js'
import { changeLawOfEntry, type GroupEntry } from './prior.js'

/**
 * What pages are like, learned from 5294 histories of recorded changes (terms of
 * service, news, feeds, documents, release pages, data files). Made by
 * `node scripts/make-prior.mjs updates.csv.gz objects.csv`; not to be edited by
 * hand. The evaluation never uses it: there each source is judged by a law that
 * the other sources taught.
 */
export const defaultPrior: GroupEntry = {
  pages: 5294,
  // biome-ignore format: a table
  masses: [0.0432, 0.0367, 0.0543, 0.0454, 0.0522, 0.0426, 0.028, 0.0722, 0.0102, 0.0208, 0.00213, 0.00728, 0.00124, 0.00125, 0.00123, 0.00124, 0.00124, 0.00124, 0.0473, 0.0408, 0.0277, 0.0164, 0.00631, 0.00149, 0.00111, 0.000751, 0.000531, 0.0029, 0.00109, 0.000988, 0.00132, 0.00125, 0.00123, 0.00124, 0.052, 0.0444, 0.0203, 0.0127, 0.00187, 0.00135, 0.000767, 0.00306, 0.00759, 0.0027, 0.00145, 0.000958, 0.0015, 0.00126, 0.00124, 0.00124, 0.0413, 0.0209, 0.0108, 0.00642, 0.00291, 0.00273, 0.00112, 0.00079, 0.00055, 0.00066, 0.00149, 0.0016, 0.00126, 0.00125, 0.0389, 0.0146, 0.00346, 0.00153, 0.00124, 0.000516, 0.000602, 0.000761, 0.000696, 0.00204, 0.0084, 0.00103, 0.00133, 0.00126, 0.0272, 0.0133, 0.00995, 0.00586, 0.00529, 0.00793, 0.00166, 0.00235, 0.00108, 0.00082, 0.00198, 0.0101, 0.00263, 0.00261, 0.0014, 0.000893, 0.00115, 0.00071, 0.000847, 0.000565, 0.000573, 0.00161],
  // biome-ignore format: a table
  weekdays: [1.62, 0.948, 0.198, 0.118, 0.695, 1.71, 1.71],
  // biome-ignore format: a table
  hours: [0.857, 0.774, 0.705, 0.643, 0.593, 0.556, 0.537, 0.542, 0.562, 0.596, 0.664, 0.772, 0.912, 1.09, 1.29, 1.48, 1.62, 1.69, 1.67, 1.58, 1.45, 1.3, 1.13, 0.979],
}

/** The law that a page starts with when nothing else is known. */
export const defaultChangeLaw: GroupChangeLaw = changeLawOfEntry(defaultPrior)
