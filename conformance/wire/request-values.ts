import type { Operation, Parameter } from './contract.ts'
import type { Request } from './http.ts'
import { jsonIn } from './json.ts'
import { isObject } from './values.ts'

/**
 * The values of a request to `operation`, by parameter, decoded as the contract says: the form takes precedence over
 * the query, and the last of repeated names counts. Old names become the new ones; unknown names and values that cannot
 * be decoded are left out.
 */
export function requestValues(operation: Operation, request: Request): ReadonlyMap<string, unknown> {
  const texts = new Map<string, string>([...ofQuery(request), ...ofForm(request), ...ofPath(operation, request)])
  const values = new Map<string, unknown>()
  for (const parameter of operation.parameters) {
    const text = texts.get(parameter.name)
    const value = text === undefined ? undefined : decoded(parameter, text)
    const name = parameter.aliasOf ?? parameter.name
    if (value !== undefined && (parameter.aliasOf === undefined || !values.has(name))) values.set(name, value)
  }
  return values
}

function ofQuery({ path }: Request): Iterable<[string, string]> {
  return new URLSearchParams(path.split('?')[1] ?? '')
}

function* ofForm({ form = [], raw }: Request): Iterable<[string, string]> {
  for (const [name, value] of form) yield [name, value]
  if (raw === undefined) return
  if (raw.type.includes('urlencoded')) yield* new URLSearchParams(raw.body)
  else if (raw.type.includes('json')) {
    const body = jsonIn(raw.body)
    if (!isObject(body)) return
    for (const [name, value] of Object.entries(body))
      yield [name, typeof value === 'string' ? value : JSON.stringify(value)]
  }
}

function* ofPath({ path }: Operation, request: Request): Iterable<[string, string]> {
  const parts = request.path.split('?')[0]?.split('/') ?? []
  for (const [index, part] of path.split('/').entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name !== undefined) yield [name, unescaped(parts[index] ?? '')]
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function decoded({ isJson, isRaw, schema }: Parameter, text: string): unknown {
  if (isJson || isRaw) return jsonIn(text) ?? (isRaw ? text : undefined)
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+$/.test(text) ? Number(text) : undefined
  if (schema.type === 'boolean') return jsonIn(text)
  return text
}
