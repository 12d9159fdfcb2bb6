import { useEffect, useState } from 'preact/hooks'

/** `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const storedAs = 'revisit-theme'
const changed = 'revisit-theme-changed'

export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(storedAs)
    else localStorage.setItem(storedAs, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  dispatchEvent(new Event(changed))
}

/** Counts up whenever the colours change: a canvas has to be painted again. */
export function useThemeTurn(): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const next = () => setTurn((before) => before + 1)
    dark.addEventListener('change', next)
    addEventListener(changed, next)
    return () => {
      dark.removeEventListener('change', next)
      removeEventListener(changed, next)
    }
  }, [])
  return turn
}

/** The present value of a colour of the palette, for a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}
