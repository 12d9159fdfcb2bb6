import { type PageHistory, shown } from '../../formats/index.js'
import type { TextOutput } from '../world.js'
import type { PageWriter } from './page-writer.js'

/**
 * A JSON array written as the pages come, so that nothing piles up. Signs that
 * a terminal would obey are written as JSON escapes.
 */
export function recordWriter(
  records: (page: PageHistory) => readonly object[],
  out: TextOutput,
): PageWriter {
  let before = '['
  return {
    page(page) {
      for (const record of records(page)) {
        out.write(`${before}\n${shown(JSON.stringify(record))}`)
        before = ','
      }
    },
    end() {
      out.write(before === '[' ? '[]\n' : '\n]\n')
    },
  }
}
