import type { Page } from 'playwright'

export interface Scene {
  readonly service: string
  readonly name: string
  readonly at: string
  readonly sign: string
  readonly act?: (page: Page) => Promise<void>
}

export const scenes: readonly Scene[]

export function stage(
  page: Page,
  how: { readonly scene: Scene; readonly ids?: ReadonlyMap<string, string> | undefined },
): Promise<void>
