import type { PassingAnswer, PassingOn, PassingRequest, SlowFault } from '../testing.ts'
import { readContract } from '../wire/contract.ts'
import { listOf } from '../wire/values.ts'
import { OlderLevel } from './level-testing.ts'

/** The feature level that the stand-in claims. */
export const deployedLevel = 263

/** Operations that do not report ignored parameters at that level (NOTE-39). */
const silentAboutIgnored =
  /^\/(server_settings|users\/me$|users\/me\/(status|alert_words|muted_users|presence)|users\/[^/]+\/(status|presence)|realm\/emoji|user_uploads|attachments|fetch_api_key)/

/** Parameters of POST /register that GET /events only uses if no event queue is named. */
const pollParameters = new Set(['queue_id', 'last_event_id', 'dont_block'])

/** Limits that only Parley documents, by parameter: other servers accept longer values. */
const unboundedTexts = ['local_id', 'web_font_size_px', 'web_line_height_percent']

/** Operations that convert parameters in the old way at that level. */
const oldConverters = /^\/messages(\/matches_narrow)?$/

/** More emoji than a server can render if rendering takes more than linear time. */
const mostEmoji = 500

/**
 * Makes a proxy answer like a deployed server of level 263, or of another level, where that differs from Parley: each
 * difference is right, or a known deviation. It remembers one server, so each proxy needs its own.
 */
export function deployedServer(
  target: string,
  level = deployedLevel,
): { before: (request: PassingOn) => void; fault: SlowFault } {
  const older = new OlderLevel(readContract(), level)
  const presence = new SlowPresence()
  const channels = new Set<string>()
  return {
    before(request) {
      beforeEvents(request)
      beforeSettings(request)
      older.before(request)
    },
    async fault(answer, request) {
      if (request.path === '/openapi.json') {
        Object.assign(answer, { status: 404, body: { result: 'error', msg: 'Not found' } })
        return
      }
      if (answer.body === null || typeof answer.body !== 'object') return
      if ('zulip_feature_level' in answer.body) answer.body.zulip_feature_level = level
      older.ignore(answer, request)
      if (answer.status >= 400) refuse(answer, request)
      else succeed(answer, request, level)
      inFormerForms(answer.body, level)
      older.prune(answer, request)
      keepPermissions(answer.body)
      presence.delay(answer, request)
      for (const name of madeBy(answer, request, channels)) await announce(target, name, request)
    },
  }
}

/** Permission settings are described only where the answer has a value of them. */
function keepPermissions(body: Record<string, unknown>): void {
  const described = body.server_supported_permission_settings as Record<string, Record<string, unknown>> | undefined
  const { realm = {}, stream = {} } = described ?? {}
  for (const name of Object.keys(realm)) if (!(`realm_${name}` in body)) delete realm[name]
  const [channel = {}] = listOf(body.subscriptions)
  for (const name of Object.keys(stream)) if (!(name in channel)) delete stream[name]
}

/** The forms of values and fields that had another one at older levels. */
function inFormerForms(value: unknown, level: number): void {
  if (typeof value !== 'object' || value === null) return
  const { message_ids: ids, path_id: path, create_time: time, export_type: type } = value as Record<string, unknown>
  if (path !== undefined && level < 472)
    Object.assign(value, { messages: listOf(ids).map((id) => ({ id, date_sent: 0 })) })
  if (path !== undefined && level < 443) Object.assign(value, { create_time: Number(time) * 1000 })
  if (type !== undefined && level < 449) Object.assign(value, { export_type: type === 'public' ? 1 : 2 })
  if ('default_group_name' in value && value.default_group_name === 'channel_creator' && level < 427)
    value.default_group_name = 'stream_creator_or_nobody'
  for (const [name, inner] of Object.entries(value)) {
    const isOfChannels =
      level < 330 && /^(realm_)?default_streams$|^streams$/.test(name) && listOf(inner).every(Number.isInteger)
    if (isOfChannels)
      Object.assign(value, { [name]: listOf(inner).map((id) => ({ stream_id: id, name: `channel ${id}` })) })
    else inFormerForms(inner, level)
  }
}

/** With `queue_id`, parameters of a registration are ignored; without it there is a new event queue (NOTE-42). */
function beforeEvents({ method, url, form }: PassingOn): void {
  if (method !== 'GET' || !url.pathname.endsWith('/api/v1/events')) return
  const { searchParams } = url
  if (!searchParams.has('queue_id')) {
    if ([...searchParams.keys()].every((name) => pollParameters.has(name))) searchParams.set('apply_markdown', 'false')
    return
  }
  for (const name of [...searchParams.keys(), ...form.keys()]) {
    if (!pollParameters.has(name)) searchParams.delete(name)
  }
  scaled(searchParams, 'last_event_id', (id) => Math.floor(id / 2))
}

/** The real server numbers events one by one; this one leaves gaps for the legacy events between them. */
function scaled(values: URLSearchParams, name: string, change: (id: number) => number): void {
  const id = Number(values.get(name) ?? 'none')
  if (Number.isSafeInteger(id) && id > 0) values.set(name, String(change(id)))
}

function beforeSettings({ form, url }: PassingOn): void {
  for (const name of unboundedTexts) {
    for (const values of [form, url.searchParams]) {
      if ([...(values.get(name) ?? '')].length > 60) values.set(name, 'x')
    }
  }
}

function refuse(answer: PassingAnswer, { path, parameters }: PassingRequest): void {
  const { body } = answer
  const msg = String(body.msg)
  if (answer.status === 401) {
    if (['INVALID_API_KEY', 'USER_DEACTIVATED'].includes(body.code)) body.code = 'UNAUTHORIZED'
  } else if (oldConverters.test(path) && body.code === 'BAD_REQUEST') {
    const name = [...parameters.keys()].find((one) => msg.includes(one))
    if (name !== undefined) {
      Object.assign(body, { code: 'REQUEST_VARIABLE_INVALID', var_name: name, bad_value: parameters.get(name) })
    }
  }
  if (answer.status === 405 || /nothing at this URL/.test(msg)) delete body.code
  // Texts are translated; only what the contract says about administrators stays.
  if (!/administrator/.test(msg)) body.msg = `Übersetzt: ${msg.length}`
}

function succeed(answer: PassingAnswer, request: PassingRequest, level: number): void {
  const { body } = answer
  const { method, path, parameters } = request
  if (silentAboutIgnored.test(path)) delete body.ignored_parameters_unsupported
  if (method === 'GET' && path === '/events') {
    polled(body, parameters, level)
  } else if (Number.isInteger(body.last_event_id)) {
    body.last_event_id = body.last_event_id > 0 ? body.last_event_id * 2 : body.last_event_id
  }
  if (path === '/users/me/presence' && parameters.get('ping_only') === 'true') delete body.presence_last_update_id
  if (tooManyEmoji(request)) {
    answer.status = 400
    answer.body = { result: 'error', msg: 'Unable to render message', code: 'BAD_REQUEST' }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
function polled(body: any, parameters: URLSearchParams, level: number): void {
  if (parameters.has('queue_id')) {
    delete body.queue_id
    const ignored = [...new Set(parameters.keys())].filter((name) => !pollParameters.has(name))
    if (ignored.length > 0) body.ignored_parameters_unsupported = ignored
    else delete body.ignored_parameters_unsupported
  }
  body.events = (body.events as Record<string, unknown>[]).flatMap((event) => {
    const own = { ...event, id: Number(event.id) * 2 }
    if (event.type === 'user_settings' && level < 439) return [{ ...legacyOf(event), id: own.id - 1 }, own]
    if (event.type === 'stream' && event.op === 'delete') {
      const { stream_ids: ids, ...rest } = own as typeof own & { stream_ids?: number[] }
      return [{ ...rest, streams: (ids ?? []).map((id) => ({ stream_id: id, name: `channel ${id}` })) }]
    }
    return [own]
  })
}

function legacyOf({ property, value }: Record<string, unknown>): Record<string, unknown> {
  return { type: 'update_display_settings', setting_name: property, setting: value }
}

/** Names of channels that were unknown before. */
function madeBy({ status }: PassingAnswer, { method, path, parameters }: PassingRequest, known: Set<string>): string[] {
  if (status !== 200 || method !== 'POST' || path !== '/users/me/subscriptions') return []
  const names = (JSON.parse(parameters.get('subscriptions') ?? '[]') as { name: string }[]).map(({ name }) => name)
  const fresh = names.filter((name) => !known.has(name))
  for (const name of fresh) known.add(name)
  return fresh
}

/** The first message of a channel announces it. */
async function announce(target: string, channel: string, { authorization }: PassingRequest): Promise<void> {
  const body = new URLSearchParams({
    type: 'stream',
    to: channel,
    topic: 'channel events',
    content: 'Channel created.',
  })
  await fetch(`${target}/api/v1/messages`, { method: 'POST', headers: { authorization }, body })
}

function tooManyEmoji({ method, path, parameters }: PassingRequest): boolean {
  const isMessage = (method === 'POST' || method === 'PATCH') && /^\/messages(\/\d+)?$/.test(path)
  return isMessage && [...(parameters.get('content') ?? '').matchAll(/\p{Emoji_Presentation}/gu)].length > mostEmoji
}

/** Presence reports are queued: the answers to one report and to the next do not show it yet. */
class SlowPresence {
  /** Number of further answers without a person, by credentials. */
  readonly #hidden = new Map<string, number>()
  /** Address and id of each account, by credentials. */
  readonly #keys = new Map<string, readonly string[]>()

  delay({ status, body }: PassingAnswer, { method, path, authorization, parameters }: PassingRequest): void {
    if (path === '/users/me' && method === 'GET' && status === 200) {
      this.#keys.set(authorization, [String(body.user_id), body.email])
    }
    if (path === '/fetch_api_key' && status === 200) {
      const credentials = Buffer.from(`${body.email}:${body.api_key}`).toString('base64')
      this.#keys.set(`Basic ${credentials}`, [String(body.user_id), body.email])
    }
    if (path !== '/users/me/presence' || status !== 200) return
    if (!this.#hidden.has(authorization)) this.#hidden.set(authorization, 2)
    for (const [credentials, answers] of this.#hidden) {
      if (body.presences === undefined || answers <= 0) continue
      for (const key of this.#keys.get(credentials) ?? []) delete body.presences[key]
      this.#hidden.set(credentials, answers - 1)
    }
    const sent = parameters.get('last_update_id')
    const isNews = body.presences === undefined || Object.keys(body.presences).length > 0
    if (sent !== null && !isNews) body.presence_last_update_id = Number(sent)
  }
}
