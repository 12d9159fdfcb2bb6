import { readFileSync } from 'node:fs'
import type { Published } from 'revisit/report'

/** The published.json that lies beside a module, named by its `import.meta.url`. */
export function readPublished(module: string): Published {
  return JSON.parse(readFileSync(new URL('./published.json', module), 'utf8')) as Published
}
