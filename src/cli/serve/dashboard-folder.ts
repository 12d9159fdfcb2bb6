import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** From dist/cli/serve, and from src/cli/serve where tests run. */
const places = ['../../dashboard/', '../../../dist/dashboard/']

/** Where the built dashboard is; undefined where it was not built. */
export function dashboardFolder(): string | undefined {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return folders.find((folder) => existsSync(`${folder}index.html`))
}
