import type { Fault, PassingRequest, SeededFault } from '../testing.ts'
import type { Json } from './changes-testing.ts'

function framed(name: string, fault: Fault): SeededFault {
  return { name: `${name} (frame)`, only: 'frame/all', violates: ['CONTRACT-EFFECT'], needsUsers: true, fault }
}

/** Changes answers once a request of this method and path has succeeded, given the id in its path. */
function since(
  method: string,
  path: RegExp,
  change: (body: Json, about: number, request: PassingRequest) => void,
  isMeant: (parameters: URLSearchParams) => boolean = () => true,
): Fault {
  let about: number | undefined
  return (answer, request) => {
    const { method: asked, path: here, parameters } = request
    if (asked === method && path.test(here) && answer.status === 200 && isMeant(parameters)) {
      about = Number(/\d+/.exec(here)?.[0] ?? 0)
    } else if (about !== undefined && answer.body?.result === 'success') change(answer.body, about, request)
  }
}

const left = ['DELETE', /^\/users\/\d+$/] as const

/** Requests that also change something else, or change only a part. */
export const faults: readonly SeededFault[] = [
  framed(
    'channels of whoever left have no maker in the list of one’s own',
    since(...left, ({ subscriptions = [] }, id) => {
      for (const one of subscriptions) if (one.creator_id === id) one.creator_id = null
    }),
  ),
  framed(
    'reactions of whoever left are gone from lists',
    since(...left, ({ messages = [] }, id) => {
      for (const one of messages) one.reactions = one.reactions.filter((vote: Json) => vote.user_id !== id)
    }),
  ),
  framed(
    'whoever comes back is a member again where they are alone',
    since('POST', /\/reactivate$/, ({ user }, id) => {
      if (user?.user_id === id) user.role = 400
    }),
  ),
  framed(
    'recipients keep their names',
    (() => {
      const names = new Map<number, string>()
      return ({ body }) => {
        for (const one of body?.messages ?? []) {
          if (one.type !== 'private') continue
          for (const person of one.display_recipient) {
            names.set(person.id, names.get(person.id) ?? person.full_name)
            person.full_name = names.get(person.id)
          }
        }
      }
    })(),
  ),
  framed(
    'whoever has another role has joined today',
    since(
      'PATCH',
      /^\/users\/\d+$/,
      ({ members = [] }, id) => {
        for (const one of members) if (one.user_id === id) one.date_joined = new Date(0).toISOString()
      },
      (parameters) => parameters.has('role'),
    ),
  ),
  framed(
    'a muted channel is not muted under its old name',
    since('PATCH', /^\/users\/me\/subscriptions\/\d+$/, ({ subscriptions = [] }) => {
      for (const one of subscriptions) if (one.is_muted) one.in_home_view = true
    }),
  ),
  framed(
    'whoever leaves a channel loses what was said to them',
    since('DELETE', /^\/users\/me\/subscriptions$/, (body) => {
      if (body.messages) body.messages = body.messages.filter(({ type }: Json) => type !== 'private')
    }),
  ),
  framed(
    'what is read is not starred',
    since('POST', /^\/mark_topic_as_read$/, (body) => {
      if (body.starred_messages) body.starred_messages = []
    }),
  ),
  framed(
    'a new message is the newest of every topic',
    since('POST', /^\/messages$/, ({ topics = [] }) => {
      const newest = Math.max(...topics.map(({ max_id: id }: Json) => id))
      for (const one of topics) one.max_id = newest
    }),
  ),
]
