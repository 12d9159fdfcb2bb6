export interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>
}
/** The lock that is in the package, from package-lock.json. */
export function shrinkwrap(lock: Lock): Lock
