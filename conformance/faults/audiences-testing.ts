import type { Fault, PassingRequest, SeededFault } from '../testing.ts'
import type { Json } from './changes-testing.ts'
import { ofEvent, ofEvents } from './events-testing.ts'

function found(name: string, fault: Fault): SeededFault {
  return { name: `${name} (audience)`, only: 'audiences/all', violates: ['CONTRACT-EFFECT'], needsUsers: true, fault }
}

/** Who sends a request, by role: learned from the requests to POST /users and PATCH /users/{id}. */
class Roles {
  readonly #ids = new Map<string, number>()
  readonly #roles = new Map<number, string>()

  note(answer: Json, { method, path, parameters }: PassingRequest): void {
    if (path === '/fetch_api_key') this.#ids.set(String(answer.body.email), answer.body.user_id)
    const [, id] = /^\/users\/(\d+)$/.exec(path) ?? []
    const role = parameters.get('role')
    if (method === 'PATCH' && id !== undefined && role !== null) this.#roles.set(Number(id), role)
  }

  of({ authorization }: PassingRequest): string | undefined {
    const [email = ''] = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
      .toString()
      .split(':')
    const id = this.#ids.get(email)
    return /bot/.test(email) ? 'bot' : id === undefined ? undefined : this.#roles.get(id)
  }
}

/** Whoever has one of these roles is not told of what `isMeant`. */
function untold(roles: readonly string[], isMeant: (event: Json) => boolean): Fault {
  const known = new Roles()
  const hear = ofEvents(({ body }, request) => {
    if (roles.includes(known.of(request) ?? '')) body.events = body.events.filter((event: Json) => !isMeant(event))
  })
  return (answer, request) => {
    known.note(answer, request)
    hear(answer, request)
  }
}

/** Nobody is told of the statuses that others have set. */
function untoldStatuses(): Fault {
  const texts = new Set<string | null>()
  const hear = ofEvents(({ body }) => {
    body.events = body.events.filter(({ type, status_text: text }: Json) => type !== 'user_status' || !texts.has(text))
  })
  return (answer, request) => {
    if (/^\/users\/\d+\/status$/.test(request.path)) texts.add(request.parameters.get('status_text'))
    hear(answer, request)
  }
}

const peers = ({ op }: Json): boolean => op === 'peer_add' || op === 'peer_remove'
const bots = ['bot']
const guests = ['600']
const admins = ['200']

/** Tells what `isMeant` twice. */
function twice(isMeant: (event: Json) => boolean): Fault {
  return ofEvents(({ body }) => {
    body.events = body.events.flatMap((event: Json) =>
      isMeant(event) ? [event, { ...event, id: event.id + 0.5 }] : [event],
    )
  })
}

/** Tells bots something else than everybody else. */
function otherwise(type: string, change: (event: Json) => void): Fault {
  const tell = ofEvent(type, change)
  const known = new Roles()
  return (answer, request) => {
    known.note(answer, request)
    if (known.of(request) === 'bot') tell(answer, request)
  }
}

export const faults: readonly SeededFault[] = [
  ...['reaction', 'update_message', 'delete_message', 'typing', 'user_status', 'realm_user', 'stream'].map((type) =>
    found(
      `bots hear nothing of the type ${type}`,
      untold(bots, (event) => event.type === type),
    ),
  ),
  ...['reaction', 'update_message', 'delete_message', 'typing'].map((type) =>
    found(
      `guests hear nothing of the type ${type}`,
      untold(guests, (event) => event.type === type),
    ),
  ),
  found('administrators hear nothing of who follows channels that they do not', untold(admins, peers)),
  found('nobody hears of statuses that others have set', untoldStatuses()),
  ...['color', 'pin_to_top'].map((property) =>
    found(
      `${property} told twice`,
      twice(({ type, property: is }) => type === 'subscription' && is === property),
    ),
  ),
  ...['reaction', 'user_status', 'muted_users'].map((type) =>
    found(
      `${type} told twice`,
      twice((event) => event.type === type),
    ),
  ),
  found(
    'bots are told of reactions by nobody',
    otherwise('reaction', (event) => {
      event.user_id = 0
    }),
  ),
  found(
    'bots are told of edits at another time',
    otherwise('update_message', (event) => {
      event.edit_timestamp += 1
    }),
  ),
]
