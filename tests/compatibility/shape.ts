/** A client's expectation of a JSON value, as data in the files beside this one. */
export interface Shape {
  /** One line for each difference from the expectation: path and reason. */
  problems(value: unknown, path: string): string[]
  /** The key may be absent. */
  readonly mayBeAbsent?: true
}

function named(expected: string, fits: (value: unknown) => boolean): Shape {
  return {
    problems: (value, path) => (fits(value) ? [] : [`${path}: ${shown(value)} is not ${expected}`]),
  }
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'undefined'
  return json.length > 60 ? `${json.slice(0, 60)}…` : json
}

export const int = named('an integer', Number.isInteger)
export const number = named('a number', Number.isFinite)
export const str = named('a string', (value) => typeof value === 'string')
export const bool = named('a boolean', (value) => typeof value === 'boolean')
/** Any value including null, but the key is present. */
export const any = named('a value', () => true)
/** An address, absolute or relative; it must only parse. */
export const uri = named('a URI', (value) => typeof value === 'string' && URL.canParse(value, 'http://parley.example'))

export function oneOf(...values: readonly (string | number | boolean)[]): Shape {
  return named(`one of ${values.join(', ')}`, (value) => values.includes(value as string))
}

export function matching(pattern: RegExp): Shape {
  return named(String(pattern), (value) => typeof value === 'string' && pattern.test(value))
}

/** Null or `shape`; the key is present. */
export function nullable(shape: Shape): Shape {
  return { problems: (value, path) => (value === null ? [] : shape.problems(value, path)) }
}

/** Absent, null or `shape`: any other type breaks the client. */
export function optional(shape: Shape): Shape {
  return { ...nullable(shape), mayBeAbsent: true }
}

export function list(item: Shape): Shape {
  return {
    problems: (value, path) =>
      Array.isArray(value)
        ? value.flatMap((one, index) => item.problems(one, `${path}[${index}]`))
        : [`${path}: ${shown(value)} is not a list`],
  }
}

/** A non-empty list or map of `shape`: world.ts has created some, and an empty one proves nothing. */
export function filled(shape: Shape): Shape {
  return {
    problems: (value, path) => [
      ...shape.problems(value, path),
      ...(typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? [`${path}: empty`] : []),
    ],
  }
}

/** A list of exactly these items. */
export function tuple(...items: readonly Shape[]): Shape {
  return {
    problems: (value, path) =>
      Array.isArray(value) && value.length === items.length
        ? items.flatMap((item, index) => item.problems(value[index], `${path}[${index}]`))
        : [`${path}: ${shown(value)} is not a list of ${items.length}`],
  }
}

/** A list of ids, ascending and without duplicates. */
export const ascendingInts: Shape = {
  problems: (value, path) => {
    const wrong = list(int).problems(value, path)
    if (wrong.length > 0) return wrong
    const ids = value as number[]
    return ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))
      ? []
      : [`${path}: ${shown(value)} is not ascending`]
  },
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with these keys; it may have more. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return {
    problems: (value, path) => {
      if (!isObject(value)) return [`${path}: ${shown(value)} is not an object`]
      return Object.entries(shapes).flatMap(([key, shape]) => {
        const inner = path === '' ? key : `${path}.${key}`
        if (Object.hasOwn(value, key)) return shape.problems(value[key], inner)
        return shape.mayBeAbsent ? [] : [`${inner}: absent`]
      })
    },
  }
}

/** Combines several lists of keys that one client wants in an object. */
export function both(...shapes: readonly Shape[]): Shape {
  return { problems: (value, path) => shapes.flatMap((shape) => shape.problems(value, path)) }
}

/** The key must be absent. */
export function without(...keys: readonly string[]): Shape {
  return {
    problems: (value, path) =>
      isObject(value)
        ? keys.filter((key) => Object.hasOwn(value, key)).map((key) => `${path}.${key}: must be absent`)
        : [],
  }
}

/** An object used as a map. */
export function mapOf(item: Shape, keys: 'any' | 'integer' = 'any'): Shape {
  return {
    problems: (value, path) => {
      if (!isObject(value)) return [`${path}: ${shown(value)} is not an object`]
      return Object.entries(value).flatMap(([key, one]) => [
        ...(keys === 'any' || /^\d+$/.test(key) ? [] : [`${path}: the key ${shown(key)} is not an integer`]),
        ...item.problems(one, `${path}.${key}`),
      ])
    },
  }
}

/** The expectation depends on the value: `choose` returns it. */
export function dependingOn(choose: (value: Readonly<Record<string, unknown>>) => Shape): Shape {
  return {
    problems: (value, path) =>
      isObject(value) ? choose(value).problems(value, path) : [`${path}: ${shown(value)} is not an object`],
  }
}
