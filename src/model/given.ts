/** An object without the properties that are undefined: what was not given is left out, not set to nothing. */
export function given<T extends object>(all: T): Given<T> {
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as Given<T>
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }
