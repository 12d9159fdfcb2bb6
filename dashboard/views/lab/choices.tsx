/** Some of a list, each with its summary. */
export function Choices({
  title,
  all,
  chosen,
  onChange,
}: {
  title: string
  all: readonly { readonly name: string; readonly summary: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const toggle = (name: string) =>
    onChange(
      all
        .map((each) => each.name)
        .filter((each) => (each === name ? !chosen.includes(name) : chosen.includes(each))),
    )
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {all.map(({ name, summary }) => (
        <label key={name} title={summary}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
          <span>
            {name} <span class="muted small">{summary}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
