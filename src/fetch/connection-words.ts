/** Why a connection failed, in words: of TLS the reason alone, without where in its code OpenSSL gave up. */
export function connectionWords(error: unknown): string {
  const { library, reason, message } = (error ?? {}) as Partial<Record<string, unknown>>
  if (typeof library === 'string' && typeof reason === 'string') return `TLS failed: ${reason}`
  return typeof message === 'string' ? message : String(error)
}
