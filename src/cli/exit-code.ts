/** What the exit code of a command says; `--help` lists the same. */
export const exitCode = {
  done: 0,
  /** Nothing was left to estimate from. */
  nothingLeft: 1,
  /** `visit`: a page failed, was refused or could not be visited now. */
  notAllVisited: 1,
  /** The options were wrong, or the input was refused as a whole (or a line of it, with --strict). */
  refused: 2,
  /** A file cannot be read, or a package is not installed. */
  environment: 3,
  /** A verdict on a paper's claim differs from the recorded one. */
  differs: 4,
  /** `check` found the store not in order. */
  damaged: 5,
  /** An error that nobody foresaw. */
  broken: 70,
  /** Stopped at once by a second Ctrl-C, as shells count it. */
  interrupted: 130,
} as const

export const exitCodeHelp = `
Exit codes:
  0  done
  1  no visit was left to estimate from; visit: a page failed, was refused or had to wait
  2  wrong options, or the input was refused (with --strict: its first bad line)
  3  a file cannot be read, or a package is not installed
  4  a claim's verdict differs from the recorded one
  5  the store is not in order
 70  an error in revisit itself`
