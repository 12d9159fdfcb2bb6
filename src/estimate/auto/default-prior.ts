import { type GroupEntry, lawOfEntry } from './auto-prior.js'
import type { GroupLaw } from './group-law.js'

/**
 * What pages are like, learned from 3141 histories of recorded changes (terms of
 * service, news, feeds, documents, release pages, data files). Made by
 * `node scripts/make-prior.mjs updates.csv.gz objects.csv`; not to be edited by
 * hand. The evaluation never uses it: there each source is judged by a law that
 * the other sources taught.
 */
export const defaultPrior: GroupEntry = {
  pages: 3141,
  // biome-ignore format: a table
  masses: [0.0468, 0.0256, 0.0197, 0.0253, 0.0476, 0.0463, 0.0304, 0.0233, 0.00273, 0.0348, 0.00348, 0.00217, 0.00157, 0.00195, 0.00191, 0.00192, 0.00192, 0.00192, 0.0384, 0.0287, 0.0252, 0.0209, 0.00482, 0.00143, 0.00158, 0.000557, 0.00072, 0.00403, 0.00256, 0.00181, 0.00174, 0.00196, 0.00191, 0.00192, 0.0293, 0.0309, 0.0351, 0.0156, 0.00168, 0.00148, 0.000599, 0.00444, 0.00179, 0.00443, 0.00978, 0.00104, 0.00227, 0.00196, 0.00191, 0.00192, 0.0389, 0.0165, 0.00802, 0.00626, 0.00274, 0.00482, 0.00247, 0.000629, 0.0008, 0.000687, 0.00183, 0.00277, 0.0016, 0.00195, 0.0556, 0.0204, 0.00415, 0.00188, 0.00225, 0.000579, 0.000788, 0.00115, 0.000826, 0.000673, 0.0122, 0.0113, 0.00176, 0.00195, 0.0171, 0.0217, 0.0379, 0.0432, 0.0173, 0.0186, 0.00302, 0.0027, 0.00154, 0.000846, 0.003, 0.00175, 0.00186, 0.00585, 0.00453, 0.00445, 0.00205, 0.00104, 0.000741, 0.000956, 0.00059, 0.0021],
  // biome-ignore format: a table
  weekdays: [1.42, 1.04, 0.328, 0.181, 0.819, 1.58, 1.64],
  // biome-ignore format: a table
  hours: [0.75, 0.67, 0.615, 0.57, 0.538, 0.518, 0.52, 0.55, 0.6, 0.659, 0.748, 0.881, 1.04, 1.23, 1.42, 1.58, 1.69, 1.72, 1.67, 1.53, 1.37, 1.21, 1.05, 0.881],
  freshShare: 0.551,
}

/** The law that a page starts with when nothing else is known. */
export const defaultLaw: GroupLaw = lawOfEntry(defaultPrior)
