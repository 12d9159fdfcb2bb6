/** Our own notes, with their `code`, *stress* and **strong stress**; links are left as text. */
export function MarkedText({ text }: { text: string }) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/)
  return (
    <>
      {parts.map((part, i) => {
        const key = `${i}${part}`
        if (part.startsWith('`') && part.length > 1)
          return <code key={key}>{part.slice(1, -1)}</code>
        if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>
        if (part.startsWith('*') && part.length > 2) return <em key={key}>{part.slice(1, -1)}</em>
        return part
      })}
    </>
  )
}
