export function killAgainAndAgain(options: {
  kills: number
  seed?: number
  print?: (line: string) => void
}): Promise<{ kills: number; acknowledged: number; unfinished: number }>
