interface Printed {
  readonly print?: (line: string) => void
}

/** Kills a node under load again and again; throws at the first thing that was forgotten. */
export function killedNodes(
  options: Printed & {
    readonly database: string
    readonly kills: number
    readonly seed?: number
    readonly schedule?: 'auto' | 'client'
  },
): Promise<{ readonly acknowledged: number; readonly given: number }>

/** Several clients of several nodes on one database; throws where a queue gave too soon, too much or twice. */
export function manyClients(
  options: Printed & {
    readonly database: string
    readonly nodes: number
    readonly clients: number
    readonly queues: number
    readonly each: number
    readonly seconds: number
  },
): Promise<{ readonly given: number; readonly turns: number; readonly shortest: number }>

/** Restarts the database under a running client; throws where a stream ended or an item was lost. */
export function restartedDatabase(
  options: Printed & {
    readonly database: string
    readonly stop: () => Promise<void>
    readonly start: () => Promise<void>
    readonly away: number
  },
): Promise<{ readonly items: number; readonly failed: number }>
