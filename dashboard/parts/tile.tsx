import type { ComponentChildren } from 'preact'

/** One number that matters, with what it means. */
export function Tile({
  name,
  value,
  note,
}: {
  name: string
  value: ComponentChildren
  note?: ComponentChildren
}) {
  return (
    <dl class="tile">
      <dt>{name}</dt>
      <dd class="value">{value}</dd>
      {note === undefined ? null : <dd class="note">{note}</dd>}
    </dl>
  )
}
