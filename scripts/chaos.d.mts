export function chaos(options: {
  minutes: number
  seed?: number
  /** Whether workers are frozen, too; true by default. */
  freezes?: boolean
  print?: (line: string) => void
}): Promise<{
  kills: number
  freezes: number
  cuts: number
  restarts: number
  acknowledged: number
  requests: number
  shortest: number
}>
