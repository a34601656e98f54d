import type { Fault, PassingOn, SeededFault } from '../testing.ts'

/** What a request asks for: its form, or its query where it has none. */
function parametersOf({ method, url, form }: PassingOn): URLSearchParams {
  const hasQuery = method === 'GET' || (method === 'DELETE' && form.size === 0)
  return hasQuery ? url.searchParams : form
}

/** A server that takes requests of a method and a path, below `/api/v1`, for others; found by `effects/<only>`. */
export function misread(
  only: string,
  name: string,
  [method, path]: readonly [string, string | RegExp],
  change: (parameters: URLSearchParams) => void,
  more: Partial<SeededFault> = {},
): SeededFault {
  return {
    ...{ name: `${name} (misread)`, only: `effects/${only}`, violates: ['CONTRACT-EFFECT'], fault: () => {} },
    before(request) {
      const here = request.url.pathname.replace('/api/v1', '')
      const isMeant = typeof path === 'string' ? here === path : path.test(here)
      if (request.method === method && isMeant) change(parametersOf(request))
    },
    ...more,
  }
}

/** A server that answers otherwise; found by `effects/<only>`. */
export function misanswered(only: string, name: string, fault: Fault, needsUsers = false): SeededFault {
  return { name: `${name} (answer)`, only: `effects/${only}`, violates: ['CONTRACT-EFFECT'], needsUsers, fault }
}

/** Ignores the parameter of this name; where `value` is given, only with this value. */
export function without(name: string, value?: string): (parameters: URLSearchParams) => void {
  return (parameters) => {
    if (value === undefined || parameters.get(name) === value) parameters.delete(name)
  }
}

/** Another default than the documented one. */
export function byDefault(name: string, value: string): (parameters: URLSearchParams) => void {
  return (parameters) => {
    if (!parameters.has(name)) parameters.set(name, value)
  }
}

/** Takes one parameter for another. */
export function renamed(from: string, to: string): (parameters: URLSearchParams) => void {
  return (parameters) => {
    const value = parameters.get(from)
    if (value === null) return
    parameters.delete(from)
    parameters.set(to, value)
  }
}

/** Changes what a parameter holds as JSON, where it is there. */
export function changedJson(name: string, change: (value: never) => unknown): (parameters: URLSearchParams) => void {
  return (parameters) => {
    const text = parameters.get(name)
    if (text !== null) parameters.set(name, JSON.stringify(change(JSON.parse(text) as never)))
  }
}
