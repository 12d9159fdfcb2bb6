export function killLoop(options: {
  kills: number
  seed?: number
  print?: (line: string) => void
}): Promise<{ kills: number; acknowledged: number; requests: number; shortest: number }>
