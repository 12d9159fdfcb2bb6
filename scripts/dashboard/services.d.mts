export interface ShownService {
  readonly address: string
  /** Ids of one's own pages by their paths. */
  readonly ids?: ReadonlyMap<string, string>
  stop(): Promise<void>
}

export function serviceOf(name: string): Promise<ShownService>
