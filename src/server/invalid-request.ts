/** What a validator finds wrong, in the form that the framework hands on. */
export interface Invalid {
  readonly keyword?: string
  /** Where in the schema, from `#`. */
  readonly schemaPath?: string
  /** Where in what was sent; empty for all of it. */
  readonly instancePath?: string
  readonly message?: string
  readonly params?: object
}

/** Of what the validator adds by keyword, what is used here. */
interface Params {
  readonly additionalProperties?: readonly string[]
  readonly allowedValues?: readonly unknown[]
}

/** One thing that is wrong: where in what was sent, and what would be right. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** Told of one request at most. */
const most = 10

/** What is wrong with a request and what would be right, by the schema it was checked against. */
export function invalidDetails(found: readonly Invalid[], schema: unknown): Detail[] {
  // Of a property too many the validator also says that "schema is false", which helps nobody.
  const told = found.filter(({ keyword }) => keyword !== 'boolean')
  return told.flatMap((each) => detailsOf(each, schema)).slice(0, most)
}

/** The first of them in one sentence. */
export function invalidText(details: readonly Detail[]): string {
  const { path, message } = details[0] ?? { path: '', message: unclear }
  return `${path === '' ? 'the request' : path} ${message}`
}

const unclear = 'is not as it should be'

function detailsOf({ instancePath: path = '', ...found }: Invalid, schema: unknown): Detail[] {
  const { additionalProperties: unknown, allowedValues: words } = (found.params ?? {}) as Params
  if (unknown !== undefined) {
    const around = schemaAt(schema, found.schemaPath)
    return unknown.map((name) => ({ path: `${path}/${name}`, message: placeOf(name, around) }))
  }
  const message = words === undefined ? found.message : `must be one of ${words.join(', ')}`
  return [{ path, message: message ?? unclear }]
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Where a name belongs that is not known where it was sent: deeper, or nowhere. */
function placeOf(name: string, { properties = {} }: Schema): string {
  const deeper = Object.entries(properties).find(([, each]) =>
    Object.hasOwn(each.properties ?? {}, name),
  )
  if (deeper !== undefined) return `belongs in ${deeper[0]}`
  const names = Object.keys(properties)
  return names.length === 0 ? 'is not taken' : `is not known; there are ${names.join(', ')}`
}

function schemaAt(schema: unknown, path = '#'): Schema {
  const steps = path.split('/').slice(1)
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], schema)
  return (found ?? {}) as Schema
}
