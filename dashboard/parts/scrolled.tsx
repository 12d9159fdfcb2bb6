import type { ComponentChildren } from 'preact'

/** A table that scrolls sideways by itself where it is wider than its place: by keyboard too. */
export function Scrolled({ what, children }: { what: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section class="scrolled" tabIndex={0} aria-label={what}>
      {children}
    </section>
  )
}
