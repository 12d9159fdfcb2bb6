export interface PostgresServer {
  readonly url: string
  readonly port: number
  readonly folder: string
  log(): string
  pid(): number
  /** Starts it again after its process ended. */
  started(): Promise<void>
  stop(): Promise<void>
}

export function startPostgres(options?: {
  /** For `postgres`, such as `-c`, `work_mem=64MB`. */
  readonly flags?: readonly string[]
  /** Whether commits wait for the disk, as they do outside of tests. */
  readonly durable?: boolean
}): Promise<PostgresServer>
