import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CannotRunError } from '../deployment/credentials.ts'
import type { Exchange, Login, Pairs, Request } from '../wire/http.ts'
import { jsonIn } from '../wire/json.ts'

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
interface Entry {
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
    readonly content: { readonly size: number; readonly text?: string; readonly encoding?: string }
  }
}

const text = { type: 'string' }
const number = { type: 'number' }
const listOf = (items: object): object => ({ type: 'array', items })
/** All `properties` are required, except for those in `optional`. */
const objectOf = (properties: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) => ({
  ...{ type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } },
})
const headers = listOf(objectOf({ name: text, value: text }))
const postData = objectOf({ mimeType: text }, { text, params: listOf(objectOf({}, { name: text, value: text })) })
const entry = objectOf({
  startedDateTime: text,
  time: number,
  request: objectOf({ method: text, url: text, headers }, { postData }),
  response: objectOf({ status: number, headers, content: objectOf({ size: number }, { text, encoding: text }) }),
})
const isArchive = new Ajv2020({ strict: false }).compile<{ log: { entries: Entry[] } }>(
  objectOf({ log: objectOf({ entries: listOf(entry) }) }),
)

const api = '/api/v1/'
/** Names of parameters and fields whose values let somebody in. */
const secret = '(?:api_key|password|token)'
/** Times of an archive are rounded to milliseconds. */
const roundingMs = 1
/** Stands for everybody where the recorder has left out all credentials. */
const somebody: Login = { email: 'somebody', apiKey: 'somebody' }

/**
 * Reads an HTTP archive (HAR 1.2), as browsers and proxies write them. Credentials are not kept: nothing that lets
 * somebody in is in the result.
 *
 * @param url the server to judge; default: that of the first request below `/api/v1/`
 * @throws {CannotRunError} if the file cannot be read, is not an archive, or has no requests to such a server
 */
export function readRecording(file: string, url?: string): Recording {
  const entries = entriesOf(file)
  const address = (url ?? addressIn(entries))?.replace(/\/+$/, '')
  if (address === undefined) throw new CannotRunError(`${file} has no request below ${api}`)
  const notJudged = new Map<string, number>()
  const isAnonymous = !entries.some(({ request }) => loginOf(request.headers) !== undefined)
  const exchanges = entries.flatMap((entry) => {
    const reason = reasonAgainst(entry, address)
    if (reason === undefined) return [exchangeOf(entry, address, isAnonymous ? somebody : undefined)]
    notJudged.set(reason, (notJudged.get(reason) ?? 0) + 1)
    return []
  })
  if (exchanges.length === 0) {
    const reasons = [...notJudged].map(([reason, count]) => `${count} ${reason}`)
    throw new CannotRunError(`${file} has no answer of ${address} to judge: ${reasons.join(', ')}`)
  }
  return { url: address, exchanges: exchanges.toSorted((one, other) => one.answeredAt - other.answeredAt), notJudged }
}

function entriesOf(file: string): readonly Entry[] {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (err) {
    throw new CannotRunError(`${file} cannot be read: ${err instanceof Error ? err.message : err}`)
  }
  const archive = jsonIn(content.replace(/^\uFEFF/, '')) // some programs write a byte order mark
  if (isArchive(archive)) return archive.log.entries
  const [error] = isArchive.errors ?? []
  throw new CannotRunError(
    `${file} is not an HTTP archive (HAR 1.2): ${archive === undefined ? 'it is not JSON' : `${error?.instancePath || 'it'} ${error?.message}`}`,
  )
}

function addressIn(entries: readonly Entry[]): string | undefined {
  for (const { request } of entries) {
    const at = request.url.indexOf(api)
    if (at > 0 && URL.canParse(request.url)) return request.url.slice(0, at)
  }
  return undefined
}

/** Why an entry is not judged; undefined if it is. */
function reasonAgainst({ request, response, startedDateTime }: Entry, url: string): string | undefined {
  const { size, text: content } = response.content
  if (!request.url.startsWith(`${url}/`)) return 'to another server'
  if (!request.url.startsWith(`${url}${api}`)) return `not below ${api}`
  if (Number.isNaN(Date.parse(startedDateTime)) || response.status < 200) return 'without an answer'
  if (response.status === 304) return 'from the cache of the client'
  return content === undefined || contentOf(response.content).length < size ? 'without the whole answer' : undefined
}

function exchangeOf(entry: Entry, url: string, as: Login | undefined): Exchange {
  const { startedDateTime, time, response } = entry
  const request = requestOf(entry, url, as)
  const answer = withoutSecrets(contentOf(response.content).toString())
  const startedAt = Date.parse(startedDateTime)
  return {
    ...{ url: `${url}${request.path}`, request, status: response.status, text: answer, body: jsonIn(answer) },
    ...{ sentAt: startedAt - roundingMs, answeredAt: startedAt + time + roundingMs },
    headers: new Headers(response.headers.filter(isKept).map(({ name, value }): [string, string] => [name, value])),
  }
}

/** HTTP/2 has headers that are none to `Headers`. */
function isKept({ name }: Named): boolean {
  return !name.startsWith(':') && !/cookie/i.test(name)
}

function requestOf({ request }: Entry, url: string, as: Login | undefined): Request {
  const { method, postData } = request
  const login = loginOf(request.headers) ?? as
  const path = request.url
    .slice(url.length)
    .replace(/#.*/, '')
    .replaceAll(new RegExp(`(${secret}=)[^&]*`, 'g'), '$1x')
  const parts = { method: method.toUpperCase(), path, as: login, caller: login?.email ?? 'nobody' }
  if (postData === undefined) return parts
  if (postData.mimeType.includes('json')) {
    return { ...parts, raw: { type: postData.mimeType, body: withoutSecrets(postData.text ?? '') } }
  }
  return { ...parts, form: formOf(postData).map(([name, value]) => [name, isSecret(name) ? masked(value) : value]) }
}

/** Files of a form are left out. */
function formOf({ mimeType, text: body = '', params = [] }: NonNullable<Entry['request']['postData']>): Pairs {
  if (mimeType.includes('urlencoded') && body !== '') return [...new URLSearchParams(body)]
  return params.flatMap(({ name, value }): Pairs => (name === undefined || value === undefined ? [] : [[name, value]]))
}

function contentOf({ text: content = '', encoding }: Entry['response']['content']): Buffer {
  return Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
}

/** The address stands for the key. Undefined without a name and key. */
function loginOf(all: readonly Named[]): Login | undefined {
  const value = all.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(value) ?? []
  const [email = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return email === '' ? undefined : { email, apiKey: email }
}

function withoutSecrets(json: string): string {
  const field = new RegExp(`("\\w*${secret}"\\s*:\\s*")([^"]*)`, 'g')
  return json.replaceAll(field, (_, name: string, value: string) => `${name}${masked(value)}`)
}

function isSecret(name: string): boolean {
  return new RegExp(`${secret}$`).test(name)
}

/** Of the same length, because answers may be held to one. */
function masked(value: string): string {
  return value.replaceAll(/\w/g, 'x')
}
