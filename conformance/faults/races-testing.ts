import type { Fault, PassingOn, SeededFault } from '../testing.ts'
import { type Json, ofEventList, ofSuccess } from './changes-testing.ts'

/** A server that is right as long as requests come one after the other. */
class Collisions {
  /** Path below /api/v1 → forms in progress. */
  readonly #underWay = new Map<string, string[]>()
  readonly #method: string
  readonly #path: RegExp
  /** Path → forms that came while another one was in progress. */
  readonly late = new Map<string, URLSearchParams[]>()

  constructor(method: string, path: RegExp) {
    this.#method = method
    this.#path = path
  }

  readonly before = ({ method, url, form }: PassingOn): void => {
    const path = url.pathname.replace('/api/v1', '')
    if (method !== this.#method || !this.#path.test(path)) return
    const others = this.#underWay.get(path) ?? []
    if (others.length > 0) this.late.set(path, [...(this.late.get(path) ?? []), new URLSearchParams(form)])
    this.#underWay.set(path, [...others, String(form)])
  }

  /** Forgets requests when they are answered, and then applies `fault`. */
  around(fault: Fault): Fault {
    return (answer, request) => {
      if (request.method === this.#method) this.#underWay.get(request.path)?.pop()
      fault(answer, request)
    }
  }
}

function raced(
  only: string,
  name: string,
  [method, path]: readonly [string, RegExp],
  faultOf: (late: Collisions['late']) => Fault,
): SeededFault {
  const collisions = new Collisions(method, path)
  const fault = collisions.around(faultOf(collisions.late))
  const { before } = collisions
  return {
    name: `${name} (race)`,
    only: `races/${only}`,
    violates: ['CONTRACT-ORDER'],
    needsUsers: true,
    before,
    fault,
  }
}

const reactions = ['POST', /\/reactions$/] as const
const sends = ['POST', /^\/messages$/] as const
const edits = ['PATCH', /^\/messages\/\d+$/] as const
const words = ['POST', /\/alert_words$/] as const
const subscriptions = ['POST', /\/subscriptions$/] as const

export const faults: readonly SeededFault[] = [
  raced('reaction-twice', 'a reaction stored twice', reactions, (late) =>
    ofSuccess('GET', /^\/messages\/\d+$/, ({ message }, { path }) => {
      if (late.has(`${path}/reactions`)) message.reactions = message.reactions.flatMap((one: Json) => [one, one])
    }),
  ),
  raced('reaction-twice', 'a reaction told twice', reactions, (late) =>
    ofEventList((events) =>
      events.flatMap((event) =>
        event.type === 'reaction' && late.has(`/messages/${event.message_id}/reactions`) ? [event, event] : [event],
      ),
    ),
  ),
  raced('channel-twice', 'two channels of one name', subscriptions, (late) =>
    ofSuccess('GET', '/streams', (body) => {
      const texts = [...late.values()].flat().map((form) => form.get('subscriptions') ?? '')
      body.streams = body.streams.flatMap((one: Json) =>
        texts.some((text) => text.includes(one.name)) ? [one, { ...one, stream_id: one.stream_id + 1000 }] : [one],
      )
    }),
  ),
  raced('edits', 'an edit lost to another', edits, (late) =>
    ofSuccess('GET', /\/history$/, (body, { path }) => {
      if (late.has(path.replace('/history', ''))) body.message_history.splice(1, 1)
    }),
  ),
  raced('edits', 'edits that all follow the original', edits, (late) =>
    ofSuccess('GET', /\/history$/, ({ message_history: [original, ...others] }, { path }) => {
      if (late.has(path.replace('/history', ''))) for (const one of others) one.prev_content = original.content
    }),
  ),
  raced('edits', 'edits told the other way round', edits, (late) =>
    ofEventList((events) => {
      const told = events.filter(({ type }) => type === 'update_message').toReversed()
      return late.size === 0
        ? events
        : events.map((one) => (one.type === 'update_message' ? told.shift() : one) as Json)
    }),
  ),
  raced('sends', 'messages taken for one because they came together', sends, (late) =>
    ofSuccess('GET', '/messages', (body) => {
      const isLate = (content: string): boolean =>
        (late.get('/messages') ?? []).some((form) => form.get('content') === content)
      const seen = new Set<string>()
      body.messages = body.messages.filter(({ content }: Json) => {
        const isAgain = isLate(content) && seen.has(content)
        seen.add(content)
        return !isAgain
      })
    }),
  ),
  raced('own-lists', 'an addition lost to another', words, (late) =>
    ofSuccess('GET', '/alert_words', (body) => {
      if (late.size > 0) body.alert_words.shift()
    }),
  ),
  raced('own-lists', 'the last of several additions told without the others', words, (late) =>
    ofEventList((events) =>
      events.map((event) =>
        event.type === 'alert_words' && late.size > 0 ? { ...event, alert_words: event.alert_words.slice(1) } : event,
      ),
    ),
  ),
]
