interface KnownRoute {
  readonly method: string | readonly string[]
  readonly url: string
}

/** Which methods each path of the service takes, for those who ask with another. */
export class KnownMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = []

  add({ method, url }: KnownRoute): void {
    const steps = url.split('/').map((step) => (step.startsWith(':') ? '[^/]+' : literal(step)))
    const methods = typeof method === 'string' ? [method] : method
    this.#routes.push({ pattern: new RegExp(`^${steps.join('/')}$`), methods })
  }

  /** In order of the alphabet; none where there is no such path. */
  at(path: string): readonly string[] {
    const found = this.#routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => methods))].sort()
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
