import type { Pairs } from '../wire/http.ts'
import { jsonIn } from '../wire/json.ts'
import { isObject } from '../wire/values.ts'

/** Ends of the names of parameters and fields whose values grant access. */
const secretNames =
  'api[_-]?key|passw(?:or)?d|tokens?|secret|jwt|session_?id|push_key|invite_key|invite_link|link_url|export_url|config_data'
const secret = new RegExp(`(?:${secretNames})$`, 'i')
/** Parts of addresses that grant access to everybody who has them: in paths, in queries, before the host, of mail. */
const secretPart = new RegExp(
  [
    String.raw`(\/(?:join|user_uploads\/temporary|user_avatars\/exports|data_exports)\/)[^\s"?#]+`,
    String.raw`([?&](?:amp;)?[\w-]*(?:${secretNames})=)[^\s"&#<>]+`,
    String.raw`(\/\/)[^\s"/@]*@`,
    String.raw`(^|\.)[0-9a-z]{32}(?=[.@])`,
  ].join('|'),
  'gi',
)

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
  if (typeof value === 'string') return isSecret ? letters(value) : value.replaceAll(secretPart, maskedRest)
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

function maskedRest(whole: string, path?: string, parameter?: string, _host?: string, name?: string): string {
  const kept = path ?? parameter ?? name
  return kept === undefined ? '//' : `${kept}${'x'.repeat(whole.length - kept.length)}`
}
