import { Ajv2020 } from 'ajv/dist/2020.js'
import { CannotRunError, readText } from '../deployment/credentials.ts'
import type { Exchange, Login, Pairs, Request } from '../wire/http.ts'
import { jsonIn } from '../wire/json.ts'
import { maskedJson, maskedPairs } from './masks.ts'

/** Requests to one server and its answers, as somebody else saw them. */
export interface Recording {
  /** Address of the server, without `/api/v1`. */
  readonly url: string
  /** In the order of the answers. */
  readonly exchanges: readonly Exchange[]
  /** Number of entries that are not judged, by the reason. */
  readonly notJudged: ReadonlyMap<string, number>
}

interface Named {
  readonly name: string
  readonly value: string
}

/** The part of an entry of HAR 1.2 that is read. */
export interface Entry {
  readonly startedDateTime: string
  /** Milliseconds. */
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly Named[]
    readonly postData?: {
      readonly mimeType: string
      readonly text?: string
      readonly params?: readonly Partial<Named>[]
    }
  }
  readonly response: {
    readonly status: number
    readonly headers: readonly Named[]
    readonly content: {
      readonly size: number
      readonly compression?: number
      readonly mimeType?: string
      readonly text?: string
      readonly encoding?: string
    }
  }
  /** From Chrome: why there is no answer, and which cache it came from. */
  readonly _error?: unknown
  readonly _fromCache?: unknown
}

const text = { type: 'string' }
const number = { type: 'number' }
const arrayOf = (items: object): object => ({ type: 'array', items })
/** All `properties` are required, except for those in `optional`. */
const objectOf = (properties: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
})
const headers = arrayOf(objectOf({ name: text, value: text }))
const postData = objectOf({ mimeType: text }, { text, params: arrayOf(objectOf({}, { name: text, value: text })) })
const content = objectOf({ size: number }, { compression: number, mimeType: text, text, encoding: text })
const entry = objectOf({
  startedDateTime: text,
  time: number,
  request: objectOf({ method: text, url: text, headers }, { postData }),
  response: objectOf({ status: number, headers, content }),
})
const ajv = new Ajv2020({ strict: false })
const isArchive = ajv.compile<{ log: { entries: unknown[] } }>(objectOf({ log: objectOf({ entries: arrayOf({}) }) }))
const isEntry = ajv.compile<Entry>(entry)

const api = '/api/v1/'
/** Times of an archive are rounded to milliseconds. */
const roundingMs = 1
/** Stands for everybody where the recorder has left out all credentials. */
const somebody: Login = { email: 'somebody', apiKey: 'somebody' }

/**
 * Reads an HTTP archive (HAR 1.2), as browsers and proxies write it. The result contains no credentials.
 *
 * @param url the server to judge; default: the first one that states a feature level, or else the first one
 * @throws {CannotRunError} if the file cannot be read, is not an archive, or has no answers of such a server
 */
export function readRecording(file: string, url?: string): Recording {
  const all = entriesOf(file)
  const entries = all.filter((one) => isEntry(one))
  const address = url === undefined ? addressIn(entries) : addressOf(`${url.replace(/\/+$/, '')}${api}`)
  if (address === undefined) throw new CannotRunError(`${file} has no request below ${api}`)
  const byReason = Map.groupBy(entries, (entry) => reasonAgainst(entry, address))
  const judged = byReason.get(undefined) ?? []
  const others = [...byReason].flatMap(([reason, { length }]) =>
    reason === undefined ? [] : [[reason, length] as const],
  )
  if (entries.length < all.length) others.push(['without what an entry needs', all.length - entries.length])
  if (judged.length === 0) {
    const reasons = others.map(([reason, count]) => `${count} ${reason}`)
    throw new CannotRunError(`${file} has no answer of ${address} to judge: ${reasons.join(', ')}`)
  }
  const isAnonymous = !judged.some(({ request }) => loginOf(request.headers) !== undefined)
  const exchanges = judged.map((entry) => exchangeOf(entry, address, isAnonymous ? somebody : undefined))
  const inOrder = exchanges.toSorted((one, other) => one.answeredAt - other.answeredAt)
  return { url: address, exchanges: inOrder, notJudged: new Map(others) }
}

function entriesOf(file: string): readonly unknown[] {
  const archive = jsonIn(readText(file).replace(/^\uFEFF/, '')) // some programs write a byte order mark
  if (isArchive(archive)) return archive.log.entries
  const [error] = isArchive.errors ?? []
  const reason = archive === undefined ? 'it is not JSON' : `${error?.instancePath || 'it'} ${error?.message}`
  throw new CannotRunError(`${file} is not an HTTP archive (HAR 1.2): ${reason}`)
}

function addressIn(entries: readonly Entry[]): string | undefined {
  const ours = entries.filter(({ request }) => addressOf(request.url) !== undefined)
  const stating = ours.find(({ response }) => contentOf(response.content).includes('"zulip_feature_level"'))
  return addressOf((stating ?? ours[0])?.request.url ?? '')
}

/** The part before `/api/v1/`, without credentials; undefined for other addresses. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  const at = pathname.indexOf(api)
  return at < 0 ? undefined : `${origin}${pathname.slice(0, at)}`
}

/** Why an entry is not judged; undefined if it is. */
function reasonAgainst(entry: Entry, address: string): string | undefined {
  const { request, response, startedDateTime, _error: error, _fromCache: cache } = entry
  const { status, headers: answered, content } = response
  const isTheirs = URL.canParse(request.url) && new URL(request.url).origin === new URL(address).origin
  if (!isTheirs) return 'to another server'
  if (addressOf(request.url) !== address) return `not below ${api}`
  if (Number.isNaN(Date.parse(startedDateTime)) || status < 200 || error) return 'without an answer'
  if (status === 304 || cache) return 'from the cache of the client'
  if (status >= 300 && status < 400) return 'redirected'
  const { length } = contentOf(content)
  const isPacked = headerIn(answered, 'content-encoding') !== undefined
  // Some recorders give the size of the packed content, and what packing has saved.
  const least = Math.min(content.size, content.size + (content.compression ?? 0))
  const told = isPacked ? 0 : Number(headerIn(answered, 'content-length') ?? 0)
  const isEmpty = content.size === 0 && (content.text === '' || headerIn(answered, 'content-length') === '0')
  return (length === 0 && !isEmpty) || length < Math.max(least, told) ? 'without the whole answer' : undefined
}

function exchangeOf(entry: Entry, address: string, as: Login | undefined): Exchange {
  const { startedDateTime, time, response } = entry
  const { content } = response
  const request = requestOf(entry, address, as)
  const body = maskedJson(contentOf(content).toString())
  const startedAt = Date.parse(startedDateTime)
  const type = headerIn(response.headers, 'content-type') || content.mimeType || 'application/json'
  return {
    url: `${address}${request.path}`,
    request,
    status: response.status,
    sentAt: startedAt - roundingMs,
    answeredAt: startedAt + time + roundingMs,
    headers: new Headers({ 'content-type': type.replaceAll(/[^ -~]/g, '') }),
    // A body that is not JSON may be anything, and is not kept.
    body,
    text: JSON.stringify(body) ?? 'something that is not JSON',
  }
}

function requestOf({ request }: Entry, address: string, as: Login | undefined): Request {
  const { method, url, postData } = request
  const login = loginOf(request.headers) ?? as
  const { origin, pathname, search, searchParams } = new URL(url)
  const query = new URLSearchParams(maskedPairs([...searchParams]) as [string, string][])
  const path = `${origin}${pathname}`.slice(address.length) + (search === '' ? '' : `?${query}`)
  const parts = { method: method.toUpperCase(), path, as: login, caller: login?.email ?? 'nobody' }
  if (postData === undefined) return parts
  if (!postData.mimeType.includes('json')) return { ...parts, form: maskedPairs(formOf(postData)) }
  const body = JSON.stringify(maskedJson(postData.text ?? '')) ?? ''
  return { ...parts, raw: { type: postData.mimeType, body } }
}

/** Files of a form are left out. */
function formOf({ mimeType, text: body = '', params = [] }: NonNullable<Entry['request']['postData']>): Pairs {
  if (mimeType.includes('urlencoded') && body !== '') return [...new URLSearchParams(body)]
  return params.flatMap(({ name, value }): Pairs => (name === undefined || value === undefined ? [] : [[name, value]]))
}

function contentOf({ text: content = '', encoding }: Entry['response']['content']): Buffer {
  return Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
}

function headerIn(all: readonly Named[], wanted: string): string | undefined {
  return all.find(({ name }) => name.toLowerCase() === wanted)?.value
}

/** The address stands for the key. Undefined unless there are both. */
function loginOf(all: readonly Named[]): Login | undefined {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headerIn(all, 'authorization') ?? '') ?? []
  const [, email] = /^([^:@]+@[^:@]+):./.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return email === undefined ? undefined : { email, apiKey: email }
}
