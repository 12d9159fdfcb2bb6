import type { ComponentChildren } from 'preact'

/** A field of a form with its name above it. */
export function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is handed in
    <label class="field">
      <span>{name}</span>
      {children}
    </label>
  )
}
