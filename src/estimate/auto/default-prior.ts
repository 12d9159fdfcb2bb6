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
  masses: [0.0246, 0.0254, 0.0387, 0.0559, 0.0606, 0.0478, 0.0306, 0.0232, 0.00212, 0.0257, 0.00313, 0.000664, 0.00085, 0.00158, 0.00175, 0.00391, 0.00449, 0.00449, 0.0267, 0.0304, 0.0405, 0.0347, 0.00593, 0.00154, 0.0015, 0.000546, 0.00068, 0.00284, 0.00387, 0.000829, 0.000931, 0.00181, 0.00184, 0.00396, 0.0309, 0.0396, 0.0405, 0.0172, 0.00195, 0.00136, 0.000545, 0.00337, 0.00195, 0.00261, 0.0198, 0.00327, 0.00142, 0.00311, 0.00218, 0.00411, 0.0278, 0.0249, 0.0168, 0.0113, 0.00373, 0.00685, 0.00274, 0.000667, 0.00108, 0.000548, 0.00162, 0.000702, 0.000871, 0.00163, 0.032, 0.0228, 0.00644, 0.00227, 0.00199, 0.000573, 0.000977, 0.000568, 0.00306, 0.000702, 0.0107, 0.0101, 0.000967, 0.00186, 0.0167, 0.0114, 0.0111, 0.0101, 0.0102, 0.018, 0.00345, 0.00309, 0.00161, 0.00074, 0.00267, 0.00898, 0.00316, 0.0046, 0.00166, 0.00128, 0.0015, 0.000956, 0.0011, 0.00135, 0.000471, 0.00177],
  // biome-ignore format: a table
  weekdays: [1.48, 1.05, 0.327, 0.2, 0.836, 1.49, 1.63],
  // biome-ignore format: a table
  hours: [0.753, 0.671, 0.613, 0.567, 0.533, 0.511, 0.511, 0.538, 0.585, 0.645, 0.738, 0.872, 1.03, 1.22, 1.42, 1.59, 1.7, 1.74, 1.68, 1.54, 1.38, 1.22, 1.05, 0.886],
}

/** The law that a page starts with when nothing else is known. */
export const defaultLaw: GroupLaw = lawOfEntry(defaultPrior)
