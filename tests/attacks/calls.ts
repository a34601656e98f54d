import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack, Attacker } from './attack.ts'

export type Form = Readonly<Record<string, string | number | boolean | object>>

/** Wait after a refusal, because a flood of refusals is an attack of its own. */
const PAUSE_MS = 50

/** Text of a form or query: strings as they are, everything else as JSON. */
export function encoded(form: Form): string {
  return String(
    new URLSearchParams(
      Object.entries(form).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  )
}

interface Call {
  readonly method: string
  readonly path: string
  readonly form?: Form
  /** Value of Authorization; default: the guest's; null: none. */
  readonly authorization?: string | null
  /** Replaces the form. */
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends one request and reads the whole answer. Returns the status, or 0 if the connection broke or the time was up.
 *
 * @param onPiece is called with pieces of the answer's body
 */
export function call(
  attacker: Attacker,
  { method, path, form, authorization, body, headers }: Call,
  onPiece?: (piece: Buffer) => void,
): Promise<number> {
  const { agent, signal, url, guest } = attacker
  const isQuery = method === 'GET'
  const text = form && encoded(form)
  const authorizationHeader = authorization === undefined ? guest : authorization
  return new Promise((resolve) => {
    const sent = request(
      `${url}${path}${isQuery && text ? `?${text}` : ''}`,
      {
        method,
        agent,
        signal,
        headers: {
          ...(authorizationHeader !== null && { Authorization: authorizationHeader }),
          ...(!isQuery && text !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
      },
      (response: IncomingMessage) => {
        response.on('error', () => resolve(0))
        response.on('end', () => resolve(response.statusCode ?? 0))
        if (onPiece) response.on('data', onPiece)
        else response.resume()
      },
    )
    sent.on('error', () => resolve(0))
    sent.end(body ?? (isQuery ? undefined : text))
  })
}

/** Sends this many at a time, again and again, until the time is over. */
export async function flood(
  attacker: Attacker,
  atOnce: number,
  next: (turn: number) => Call,
  { pauseMs = PAUSE_MS } = {},
): Promise<void> {
  let turn = 0
  const one = async (): Promise<void> => {
    while (!attacker.signal.aborted) {
      const status = await call(attacker, next(turn++))
      if (status === 429 || status === 0) await pause(attacker, pauseMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

/** An attack that is nothing but a flood, with this many at a time. */
export function flooding(
  id: string,
  what: string,
  atOnce: number,
  next: (turn: number, attacker: Attacker) => Call,
  options?: Parameters<typeof flood>[3],
): Attack {
  return { id, what, run: (attacker) => flood(attacker, atOnce, (turn) => next(turn, attacker), options) }
}

/** Returns early when the time is up. */
async function pause({ signal }: Attacker, ms: number): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** Opens connections that each begin with `bytes`, and passes them to `then`; they are closed when the time is over. */
export async function connections(
  attacker: Attacker,
  count: number,
  bytes: string | ((index: number) => string),
  then: (socket: Socket, index: number) => void = () => undefined,
): Promise<void> {
  const { hostname, port } = new URL(attacker.url)
  const open: Socket[] = []
  for (let index = 0; index < count && !attacker.signal.aborted; index += 1) {
    const socket = connect(Number(port), hostname)
    open.push(socket)
    socket.on('error', () => undefined)
    socket.on('connect', () => {
      socket.write(typeof bytes === 'string' ? bytes : bytes(index))
      then(socket, index)
    })
    if (index % 50 === 49) await pause(attacker, 1)
  }
  if (!attacker.signal.aborted) {
    await new Promise<void>((resolve) => attacker.signal.addEventListener('abort', () => resolve(), { once: true }))
  }
  for (const socket of open) socket.destroy()
}

/** Head of a request with a form of `length` bytes. */
export function head(attacker: Attacker, path: string, length: number, authorization?: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(attacker.url).host}`,
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n')
}
