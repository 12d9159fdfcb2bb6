import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** From dist/cli/serve, and from src/cli/serve where tests run. */
const places = ['../../dashboard/', '../../../dist/dashboard/']

/** Where the built dashboard is, as the service takes it; nothing where it was not built. */
export function dashboardFolder(): { readonly dashboard?: string } {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const dashboard = folders.find((folder) => existsSync(`${folder}index.html`))
  return dashboard === undefined ? {} : { dashboard }
}
