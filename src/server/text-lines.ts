import { ApiError } from './api-error.js'

/** A line may be as long as the longest address with its settings. */
const longestLine = 100_000

/** The lines of a stream of bytes, without their ends. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n/)
    rest = lines.pop()!
    if (rest.length > longestLine)
      throw new ApiError(400, 'line-too-long', `a line has more than ${longestLine} letters`)
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
