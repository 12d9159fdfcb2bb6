import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licences } from '../scripts/licences.mjs'
import { paletteStyle } from './build/palette-style.mjs'
import { papersFile } from './build/papers-file.mjs'

/**
 * The build of the dashboard. It is called by scripts/build-dashboard.mjs once
 * dist/ is compiled: the palette of the figures comes from there.
 */

export default {
  root: dirname(fileURLToPath(import.meta.url)),
  // Relative addresses: the dashboard works under any path.
  base: './',
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [paletteStyle(), papersFile(), licences()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // A data: address would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
}
