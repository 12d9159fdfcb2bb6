import type { ComponentChildren } from 'preact'

/** A part of a view with its heading. */
export function Panel({
  title,
  size = 'full',
  note,
  children,
}: {
  title: string
  size?: 'full' | 'half' | 'third' | 'two-thirds'
  note?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class={`panel ${size}`}>
      <h2>{title}</h2>
      {note === undefined ? null : <p class="muted small">{note}</p>}
      {children}
    </section>
  )
}
