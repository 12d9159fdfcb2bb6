export interface FrontierNode {
  readonly address: string
  readonly port: number
  readonly pid: number
  said(): string
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A node of the frontier in a process of its own, once it has said where it listens. */
export function startNode(options: {
  readonly database: string
  readonly schedule?: 'auto' | 'client'
  readonly port?: number
  readonly args?: readonly string[]
}): Promise<FrontierNode>
