import type { Fault, PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'

const isSetting = ({ method, path }: PassingRequest): boolean =>
  method === 'PATCH' && /^\/users\/me\/subscriptions\/\d+$/.test(path)

/** A server that stores another value than it is told: `shown` changes every subscription that is listed. */
function stored(violates: readonly string[], change: (subscription: Json) => void): SeededFault {
  return {
    name: `settings stored wrongly: ${violates}`,
    only: 'subscription-settings/set',
    violates,
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body) => body.subscriptions.forEach(change)),
  }
}

/** A server that takes what it should refuse; `wanted` picks the requests. */
function taken(violates: string, wanted: (request: PassingRequest) => boolean): SeededFault {
  const fault: Fault = (answer, request) => {
    if (isSetting(request) && wanted(request)) succeed(answer)
  }
  return {
    name: `wrong setting taken: ${violates}`,
    only: 'subscription-settings/refused',
    violates: [violates],
    fault,
  }
}

/** Subscribers of every channel as if there were hundreds, some of whom `partial` leaves out. */
function large(violates: string, partial: (subscription: Json, all: readonly number[]) => void): SeededFault {
  const many = Array.from({ length: 300 }, (_, index) => 1_000_000 + index)
  const fault: Fault = (answer, { method, path, parameters }) => {
    if (method !== 'GET') return
    if (path === '/users') answer.body?.members?.push({ user_id: many[0], is_bot: true, is_active: true })
    if (path !== '/users/me/subscriptions') return
    const asked = parameters.get('include_subscribers')
    for (const one of answer.body?.subscriptions ?? []) {
      if (one.subscribers === undefined) continue
      const all = [...one.subscribers, ...many]
      if (asked === 'true') one.subscribers = all
      if (asked === 'partial') {
        delete one.subscribers
        partial(one, all)
      }
    }
  }
  return { name: `large channel: ${violates}`, only: 'subscription-lists/subscribers', violates: [violates], fault }
}

/** What is said of the suite's channel of 249 or 250 subscribers, when a part of them is asked for. */
function ofLarge(violates: string, count: number, change: (subscription: Json) => void): SeededFault {
  const fault: Fault = (answer, { method, path }) => {
    if (method !== 'GET' || path !== '/users/me/subscriptions') return
    for (const one of answer.body?.subscriptions ?? []) {
      if (one.subscriber_count !== count || !one.name.startsWith('conformance')) continue
      // The server of the test sends parts of longer lists only.
      if (count >= 250 && one.subscribers !== undefined) {
        one.partial_subscribers = one.subscribers
        delete one.subscribers
      }
      change(one)
    }
  }
  const name = `${count} subscribers: ${violates}`
  return { name, only: 'subscription-lists/large', violates: [violates], fault, needsUsers: true }
}

/** What `partial` says of channels that the suite has not made is changed; they have `count` subscribers, if given. */
function ofPartial(name: string, change: (subscription: Json) => void, count = 0): SeededFault {
  const fault: Fault = (answer, { method, path, parameters }) => {
    if (method !== 'GET' || path !== '/users/me/subscriptions') return
    for (const one of answer.body?.subscriptions ?? []) {
      if (one.subscribers === undefined || one.name.startsWith('conformance')) continue
      for (let id = 1_000_000; one.subscribers.length < count; id += 1) one.subscribers.push(id)
      if (parameters.get('include_subscribers') === 'partial') change(one)
    }
  }
  return { name, only: 'subscription-lists/subscribers', violates: ['SUBS-6'], fault }
}

function colorForAll(): Fault {
  let color: string | null = null
  return (answer, request) => {
    if (isSetting(request) && request.parameters.get('property') === 'color') color = request.parameters.get('value')
    if (color === null) return
    for (const one of answer.body?.subscriptions ?? []) one.color = color
  }
}

/** Lists of subscriptions that hold whatever any of them ever held. */
export function everyChannelSeen(): Fault {
  const seen = new Map<number, Json>()
  return ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body) => {
    for (const one of body.subscriptions) seen.set(one.stream_id, one)
    body.subscriptions = [...seen.values()]
  })
}

export const faults: readonly SeededFault[] = [
  stored(['SUB-7', 'SUB-8'], (one) => {
    one.is_muted = one.in_home_view
  }),
  stored(['SUB-7', 'SUB-8'], (one) => {
    one.in_home_view = true
  }),
  stored(['SUB-5', 'SUB-9', 'SUB-10', 'SUB-11', 'SUB-12', 'SUB-13', 'SUB-14'], (one) => {
    one.color = '#000000'
    one.pin_to_top = true
    one.desktop_notifications = null
    one.audible_notifications = !one.audible_notifications
    one.push_notifications = false
    one.email_notifications = 'true'
    delete one.wildcard_mentions_notify
  }),
  {
    name: 'setting of one subscriber set for all',
    only: 'subscription-settings/set',
    violates: ['SUB-21'],
    fault: colorForAll(),
  },
  {
    name: 'settings refused',
    only: 'subscription-settings/set',
    violates: ['SUB-1'],
    fault(answer, request) {
      if (isSetting(request)) refuse(answer)
    },
  },
  {
    name: 'more than a success',
    only: 'subscription-settings/set',
    violates: ['SUB-19'],
    fault: ofSuccess('PATCH', /subscriptions\/\d+$/, (body) => {
      body.property = 'color'
    }),
  },
  taken('SUB-2', ({ parameters }) => !parameters.has('property')),
  taken('SUB-3', ({ parameters }) => !parameters.has('value')),
  taken('SUB-4', ({ parameters }) => parameters.get('property') === 'conformance'),
  taken('SUB-6', ({ parameters }) => parameters.get('property') === 'color'),
  taken('SUB-15', ({ parameters }) => parameters.get('value') === 'abc'),
  {
    name: 'a number taken for a boolean',
    only: 'subscription-settings/refused',
    violates: ['SUB-15'],
    fault(answer, request) {
      if (isSetting(request) && /^(2|-1\.5|null|\[.*|\{.*)$/.test(request.parameters.get('value') ?? ''))
        succeed(answer)
    },
  },
  {
    name: 'colour taken out of its quotes',
    only: 'subscription-settings/refused',
    violates: ['SUB-6', 'SUB-22'],
    fault(answer, request) {
      if (isSetting(request) && request.parameters.get('value') === '"#ff0000"') succeed(answer)
    },
  },
  {
    name: 'ID 0 called too small',
    only: 'subscription-settings/refused',
    violates: ['SUB-22'],
    fault(answer, { path }) {
      if (path === '/users/me/subscriptions/0') answer.body.msg = 'stream_id is too small'
    },
  },
  {
    name: 'refusals without a reason',
    only: 'subscription-settings/refused',
    violates: ['SUB-22'],
    fault(answer, request) {
      if (isSetting(request) && answer.status === 400) answer.body.msg = 'Bad request'
    },
  },
  {
    name: 'only the first of several changes made',
    only: 'subscription-settings/bulk',
    violates: ['SUB-20'],
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body) => {
      for (const one of body.subscriptions) one.is_muted = false
    }),
  },
  {
    name: 'muting told under its new name only',
    only: 'subscription-settings/events',
    violates: ['SUB-16', 'SUB-17'],
    fault: ofEventList((events) => events.filter(({ property }) => property !== 'in_home_view')),
  },
  {
    name: 'every event twice',
    only: 'subscription-settings/events',
    violates: ['SUB-16', 'SUB-17', 'SUB-18'],
    fault: ofEventList((events) => events.flatMap((event) => [event, event])),
  },
  {
    name: 'events that do not name the channel',
    only: 'subscription-settings/events',
    violates: ['EV-OTHER-6'],
    fault: ofEventList((events) => events.map(({ stream_id: _, ...event }) => event)),
  },
  {
    name: 'channels of others listed, and those that were left',
    only: 'subscription-lists/own',
    violates: ['SUBS-4'],
    fault: everyChannelSeen(),
  },
  {
    name: 'subscribers that nobody asked for',
    only: 'subscription-lists/own',
    violates: ['SUBS-2'],
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body) => {
      for (const one of body.subscriptions) one.subscribers = []
    }),
  },
  {
    name: 'include_subscribers takes everything',
    only: 'subscription-lists/subscribers',
    violates: ['SUBS-1'],
    fault(answer, { parameters }) {
      if (parameters.get('include_subscribers') === 'conformance') succeed(answer)
    },
  },
  {
    name: 'partial refused',
    only: 'subscription-lists/subscribers',
    violates: ['SUBS-1'],
    fault(answer, { parameters }) {
      if (parameters.get('include_subscribers') === 'partial') refuse(answer)
    },
  },
  {
    name: 'a subscriber missing',
    only: 'subscription-lists/subscribers',
    violates: ['SUBS-7', 'SUB-FIELD-11'],
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body) => {
      for (const one of body.subscriptions) one.subscribers?.shift()
    }),
  },
  {
    name: 'subscribers by address',
    only: 'subscription-lists/subscribers',
    violates: ['SUB-FIELD-10'],
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body) => {
      for (const one of body.subscriptions) one.subscribers &&= ['somebody@example.com']
    }),
  },
  {
    name: 'a part of the subscribers of a small channel',
    only: 'subscription-lists/subscribers',
    violates: ['SUBS-6', 'SUB-FIELD-11'],
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body, { parameters }) => {
      if (parameters.get('include_subscribers') !== 'partial') return
      for (const one of body.subscriptions) {
        one.partial_subscribers = one.subscribers
        delete one.subscribers
      }
    }),
  },
  ofPartial('somebody missing in a channel of others', (one) => {
    one.subscribers.pop()
  }),
  ofPartial(
    'a part of 249 subscribers',
    (one) => {
      one.partial_subscribers = one.subscribers
      delete one.subscribers
    },
    249,
  ),
  ofLarge('SUBS-6', 249, (one) => {
    one.subscribers.pop()
  }),
  ofLarge('SUBS-5', 250, (one) => {
    one.subscribers ??= one.partial_subscribers
  }),
  ofLarge('SUB-FIELD-13', 250, (one) => {
    one.partial_subscribers.push(999_999)
  }),
  ofLarge('SUB-FIELD-14', 250, (one) => {
    // The bots were there first.
    one.partial_subscribers.splice(0, 50)
  }),
  ofLarge('SUB-FIELD-15', 250, (one) => {
    // Whoever asks has just been active.
    one.partial_subscribers = []
  }),
  large('SUBS-5', (one, all) => {
    one.subscribers = all
    one.partial_subscribers = all
  }),
  large('SUB-FIELD-13', (one, all) => {
    one.partial_subscribers = [...all, 999_999]
  }),
  large('SUB-FIELD-14', (one, all) => {
    one.partial_subscribers = all.filter((id) => id !== 1_000_000)
  }),
  large('SUB-FIELD-15', (one, all) => {
    one.partial_subscribers = all.filter((id) => id >= 1_000_000)
  }),
]
