/**
 * Calls back at Ctrl-C (or when asked to end by the system), once: a second
 * Ctrl-C ends the process as it would have without us.
 */
export function onInterrupt(end: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const forget = () => {
    for (const signal of signals) process.off(signal, asked)
  }
  const asked = () => {
    forget()
    end()
  }
  for (const signal of signals) process.on(signal, asked)
  return forget
}
