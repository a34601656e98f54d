import type { Pairs } from '../wire/http.ts'
import { jsonIn } from '../wire/json.ts'
import { isObject } from '../wire/values.ts'

/** Ends of the names of parameters and fields whose values grant access. */
const secret =
  /(?:api[_-]?key|passw(?:or)?d|tokens?|secret|jwt|session_?id|push_key|invite_key|invite_link|link_url|export_url|config_data)$/i
/** Parts of addresses that grant access to everybody who has them. */
const secretPath =
  /(\/(?:join|user_uploads\/temporary|user_avatars\/exports|data_exports)\/)[^\s"?#]+|(\/\/)[^\s"/@]*@/g

/**
 * The JSON in a text, with values that grant access replaced by as many letters; undefined if it is not JSON, or nested
 * too deeply.
 */
export function maskedJson(json: string, isSecret = false): unknown {
  try {
    return masked(jsonIn(json), isSecret)
  } catch {
    return undefined
  }
}

/** Like `maskedJson`, for parameters, whose values may be JSON. */
export function maskedPairs(pairs: Pairs): Pairs {
  return pairs.map(([name, value]) => {
    const isSecret = secret.test(name)
    const inside = /^\s*[[{]/.test(value) ? maskedJson(value, isSecret) : undefined
    return [name, inside === undefined ? String(masked(value, isSecret)) : JSON.stringify(inside)]
  })
}

function masked(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? letters(value) : value.replaceAll(secretPath, maskedRest)
  if (Array.isArray(value)) return value.map((one) => masked(one, isSecret))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, masked(one, isSecret || secret.test(name))]),
  )
}

/** Addresses stay addresses. */
function letters(value: string): string {
  const [, scheme] = /^(https?:\/\/)/.exec(value) ?? []
  if (scheme === undefined) return value.replaceAll(/./gsu, 'x')
  return `${scheme}${value.slice(scheme.length).replaceAll(/[\p{L}\p{N}]/gu, 'x')}`
}

function maskedRest(whole: string, path?: string): string {
  return path === undefined ? '//' : `${path}${'x'.repeat(whole.length - path.length)}`
}
