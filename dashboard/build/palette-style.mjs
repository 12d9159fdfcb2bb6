import { palette } from '../../dist/lab/figures/palette.js'

/**
 * `virtual:palette.css`: the colours of the figures as CSS variables, for the
 * system's theme and for the one that a person chose.
 */

const name = 'virtual:palette.css'

export function paletteStyle() {
  return {
    name: 'palette-style',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? style() : undefined),
  }
}

function style() {
  const variables = (theme) => palette.map((each) => `--${each.name}:${each[theme]};`).join('')
  return `:root{color-scheme:light dark;${variables('light')}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables('dark')}}}
:root[data-theme=dark]{color-scheme:dark;${variables('dark')}}
:root[data-theme=light]{color-scheme:light;${variables('light')}}`
}
