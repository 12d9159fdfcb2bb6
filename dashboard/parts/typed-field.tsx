import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from './field.js'

const typingWait = 250

/** Tells what is typed once the typing rests. */
export function TypedField({
  name,
  value = '',
  onValue,
}: {
  name: string
  value: string | undefined
  onValue: (value: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <Field name={name}>
      <input
        type="search"
        value={typed}
        onInput={(event) => {
          const text = event.currentTarget.value
          setTyped(text)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => onValue(text), typingWait)
        }}
      />
    </Field>
  )
}
