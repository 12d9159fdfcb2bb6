export function chaos(options: {
  minutes: number
  seed?: number
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
