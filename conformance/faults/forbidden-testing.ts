import { idOfNothing } from '../provocations/provocation.ts'
import type { Fault, PassingAnswer, PassingRequest, SeededFault } from '../testing.ts'
import { type Json, refuse, succeed } from './changes-testing.ts'

type IsMeant = (request: PassingRequest) => boolean

function of(only: string, violates: string, name: string, fault: Fault): SeededFault {
  return { name: `${name} (forbidden)`, only: `forbidden/${only}`, violates: [violates], needsUsers: true, fault }
}

const isAt =
  (method: string, path: RegExp): IsMeant =>
  (request) =>
    request.method === method && path.test(request.path)

/** What is refused succeeds, or says so at least. */
const allowed = (only: string, name: string, isMeant: IsMeant, fields: object = {}): SeededFault =>
  of(only, 'CONTRACT-FORBIDDEN', name, (answer, request) => {
    if (isRefusal(answer) && isMeant(request)) succeed(answer, fields)
  })

/** What is hidden is refused in other words than what does not exist. */
const toldApart = (only: string, name: string, isMeant: IsMeant): SeededFault =>
  of(only, 'CONTRACT-HIDDEN', name, (answer, request) => {
    const isNothing = [request.path, ...request.parameters.values()].some((text) => text.includes(String(idOfNothing)))
    if (isRefusal(answer) && isMeant(request) && !isNothing) answer.body.msg = 'You may not see this'
  })

function isRefusal({ status }: PassingAnswer): boolean {
  return status >= 400 && status < 500
}

/** What is refused succeeds for people who were made administrators meanwhile. */
function allowedToAdministrators(isMeant: IsMeant, fields: object): Fault {
  const idsByEmail = new Map<string, string>()
  const administrators = new Set<string>()
  return (answer, request) => {
    const { method, path, parameters, authorization } = request
    if (method === 'POST' && path === '/users' && answer.status === 200) {
      idsByEmail.set(parameters.get('email') ?? '', String(answer.body.user_id))
    }
    const [, id] = /^\/users\/(\d+)$/.exec(path) ?? []
    if (method === 'PATCH' && id !== undefined && parameters.get('role') === '200') administrators.add(id)
    const [email = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')
    if (isRefusal(answer) && isMeant(request) && administrators.has(idsByEmail.get(email) ?? ''))
      succeed(answer, fields)
  }
}

/** Edits are refused, and carried out. */
function editedAllTheSame(): Fault {
  const contents = new Map<string, string>()
  return (answer, { method, path, parameters }) => {
    const content = parameters.get('content')
    if (method === 'PATCH' && isRefusal(answer) && content !== null) contents.set(path, content)
    if (method === 'GET' && contents.has(path) && answer.body?.message) answer.body.message.content = contents.get(path)
  }
}

/** People whose deactivation was refused once are gone. */
function endedAllTheSame(): Fault {
  const ended = new Set<Json>()
  return (answer, { method, path, parameters }) => {
    if (path !== '/events') return
    const id = parameters.get('queue_id')
    if (method === 'DELETE' && isRefusal(answer)) ended.add(id)
    if (method === 'GET' && ended.has(id)) refuse(answer, 'BAD_EVENT_QUEUE_ID')
  }
}

/** Queues of others are refused in words of their own. */
function othersQueues(): Fault {
  const known = new Set<Json>()
  return (answer, { path, parameters }) => {
    if (path === '/register') known.add(answer.body?.queue_id)
    if (path === '/events' && isRefusal(answer) && known.has(parameters.get('queue_id'))) answer.body.msg = 'Not yours'
  }
}

export const faults: readonly SeededFault[] = [
  toldApart('hidden-messages', 'hidden messages told from none', isAt('GET', /^\/messages\/\d+$/)),
  toldApart('hidden-messages', 'reactions to hidden messages told from none', isAt('POST', /\/reactions$/)),
  toldApart('hidden-messages', 'deletion of hidden messages told from none', isAt('DELETE', /^\/messages\/\d+$/)),
  allowed('hidden-messages', 'history for everybody', isAt('GET', /\/history$/), { message_history: [] }),
  allowed('hidden-messages', 'receipts for everybody', isAt('GET', /\/read_receipts$/), { user_ids: [] }),
  of('hidden-messages', 'CONTRACT-HIDDEN', 'hidden messages match narrows', ({ body }, { path, parameters }) => {
    if (path !== '/messages/matches_narrow' || !body?.messages) return
    for (const id of JSON.parse(parameters.get('msg_ids') ?? '[]')) if (id !== idOfNothing) body.messages[id] = {}
  }),
  allowed('others-messages', 'edits by anybody', isAt('PATCH', /^\/messages\/\d+$/), { detached_uploads: [] }),
  of(
    'others-messages',
    'CONTRACT-FORBIDDEN',
    'edits by administrators',
    allowedToAdministrators(isAt('PATCH', /^\/messages\/\d+$/), { detached_uploads: [] }),
  ),
  of(
    'hidden-messages',
    'CONTRACT-FORBIDDEN',
    'hidden messages shown to administrators',
    allowedToAdministrators(isAt('GET', /^\/messages\/\d+$/), { message: {} }),
  ),
  allowed('others-messages', 'deletion by anybody', isAt('DELETE', /^\/messages\/\d+$/)),
  allowed('others-messages', 'reactions taken back by anybody', isAt('DELETE', /\/reactions$/)),
  of('others-messages', 'CONTRACT-FORBIDDEN', 'edits that are refused and carried out', editedAllTheSame()),
  toldApart('hidden-channels', 'topics of hidden channels told from none', isAt('GET', /\/topics$/)),
  toldApart('hidden-channels', 'policies for hidden channels told from none', isAt('POST', /^\/user_topics$/)),
  allowed('hidden-channels', 'subscribers of hidden channels', isAt('GET', /\/members$/), { subscribers: [1] }),
  allowed('hidden-channels', 'subscription status of hidden channels', isAt('GET', /\/subscriptions\/\d+$/), {
    is_subscribed: true,
  }),
  allowed('hidden-channels', 'messages sent to hidden channels', isAt('POST', /^\/messages$/), { id: 1 }),
  allowed('hidden-channels', 'others brought to hidden channels', isAt('POST', /^\/users\/me\/subscriptions$/), {
    ...{ subscribed: {}, already_subscribed: {} },
  }),
  allowed('others-channels', 'channels archived by anybody', isAt('DELETE', /^\/streams\/\d+$/)),
  allowed('others-channels', 'channels changed by anybody', isAt('PATCH', /^\/streams\/\d+$/)),
  allowed('others-channels', 'others unsubscribed by anybody', isAt('DELETE', /^\/users\/me\/subscriptions$/), {
    ...{ removed: [], not_removed: [] },
  }),
  allowed('event-queues', 'event queues of others', isAt('GET', /^\/events$/), { events: [], queue_id: 'another' }),
  of('event-queues', 'CONTRACT-FORBIDDEN', 'event queues that others end', endedAllTheSame()),
  of('event-queues', 'CONTRACT-HIDDEN', 'event queues of others told from none', othersQueues()),
  allowed('files', 'files deleted by anybody', isAt('DELETE', /^\/attachments\/\d+$/)),
  allowed('files', 'files for anybody', isAt('GET', /^\/user_uploads\//), { url: '/none' }),
  toldApart('files', 'files of others told from none', isAt('DELETE', /^\/attachments\/\d+$/)),
  allowed('people', 'people changed by anybody', isAt('PATCH', /^\/users\/\d+$/)),
  allowed('people', 'owners made by administrators', ({ method, path, parameters }) => {
    return method === 'PATCH' && /^\/users\/\d+$/.test(path) && parameters.get('role') === '100'
  }),
  allowed('people', 'people deactivated by anybody', isAt('DELETE', /^\/users\/\d+$/)),
]
