import type { Fault, PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'

const path = /^\/users\/me\/presence$/

/** A server that answers reports of presence wrongly. */
function answered(
  name: string,
  only: string,
  violates: readonly string[],
  change: (body: Json, request: PassingRequest) => void,
): SeededFault {
  return { name: `${name} (${only})`, only, violates, fault: ofSuccess('POST', path, change) }
}

function entries(
  name: string,
  only: string,
  violates: readonly string[],
  change: (presences: Json) => void,
): SeededFault {
  return answered(name, only, violates, (body) => {
    if (body.presences) change(body.presences)
  })
}

function each(presences: Json, change: (entry: Json) => void): void {
  for (const entry of Object.values(presences)) change(entry)
}

/** Somebody who was there that many days ago. */
const seen = (days: number): Json => {
  const seconds = Math.floor(Date.now() / 1000) - days * 24 * 3600
  return { active_timestamp: seconds, idle_timestamp: seconds }
}
const numbersFor = (presences: Json): Json =>
  Object.fromEntries(Object.values(presences).map((entry, index) => [`${index}@example.com`, entry]))

/** People of an organization that is older than a test, by how many days ago they were last here. */
const oldPeople: ReadonlyMap<number, number> = new Map([
  [999_001, 3],
  [999_002, 10],
  [999_003, 20],
  [999_004, 200],
])

interface Asked {
  readonly days?: number
  /** Whether only news is asked for: then all of it is told, and no limit counts. */
  readonly isUpdate: boolean
}

/** A server where people were last here long ago; `limit`: how many days it goes back, or true for all. */
function ofOldPeople(name: string, violates: readonly string[], limit: (asked: Asked) => number | true): SeededFault {
  const told = answered(name, 'presence/history', violates, ({ presences }, { parameters }) => {
    const days = parameters.get('history_limit_days')
    const isUpdate = Number(parameters.get('last_update_id')) > 0
    const limited = limit({ isUpdate, ...(days !== null && { days: Number(days) }) })
    const most = limited === true ? Infinity : limited
    for (const [id, age] of oldPeople) if (presences && age < most) presences[id] = seen(age)
  })
  const fault: Fault = (answer, request) => {
    told.fault(answer, request)
    const { path, method } = request
    for (const [id, age] of oldPeople) {
      const email = `old${id}@example.com`
      if (path === '/users' && method === 'GET') answer.body.members.push({ user_id: id, email })
      const aggregated = { client: 'website', status: 'active', timestamp: seen(age).active_timestamp }
      if (path === '/realm/presence' && age < 14) answer.body.presences[email] = { aggregated }
    }
  }
  return { ...told, fault }
}

export const faults: readonly SeededFault[] = [
  entries('addresses for IDs', 'presence/report', ['PRES-FIELD-1', 'PRESENCE-9', 'PRESENCE-24'], (presences) => {
    presences['somebody@example.com'] = seen(0)
  }),
  entries(
    'times as text',
    'presence/report',
    ['PRES-FIELD-2', 'PRES-FIELD-3', 'PRESENCE-3', 'PRESENCE-7', 'PRESENCE-28'],
    (presences) =>
      each(presences, (entry) => {
        entry.active_timestamp = String(entry.active_timestamp)
        delete entry.idle_timestamp
      }),
  ),
  entries('only the caller told', 'presence/report', ['PRESENCE-7'], (presences) => {
    // The first of the two people is the one with the greater ID.
    for (const key of Object.keys(presences).slice(0, -1)) delete presences[key]
  }),
  answered('nobody told', 'presence/report', ['PRESENCE-5'], (body) => {
    body.presences = {}
  }),
  answered('no presences', 'presence/report', ['PRESENCE-23'], (body) => {
    delete body.presences
  }),
  answered('fields unlike theirs', 'presence/report', ['PRESENCE-13', 'PRESENCE-18', 'PRESENCE-22'], (body) => {
    body.ignored_parameters_unsupported = ['new_user_input']
    body.presence_last_update_id = null
    body.server_timestamp *= 1000
  }),
  answered('ping answered in full', 'presence/ping', ['PRESENCE-6', 'PRESENCE-22', 'PRESENCE-23'], (body) => {
    body.presences ??= {}
    body.server_timestamp ??= Date.now() / 1000
  }),
  answered('ping answered with an ID', 'presence/ping', ['PRESENCE-21'], (body) => {
    body.presence_last_update_id = 7
  }),
  answered('ping answered with no ID', 'presence/ping', ['PRESENCE-18'], (body) => {
    delete body.presence_last_update_id
  }),
  entries('ping not recorded', 'presence/ping', ['PRESENCE-6'], (presences) =>
    each(presences, (entry) => {
      entry.active_timestamp -= 3600
    }),
  ),
  entries('idle not recorded', 'presence/idle', ['PRESENCE-4'], (presences) =>
    each(presences, (entry) => {
      entry.idle_timestamp = 0
    }),
  ),
  { ...entries('', 'presence/idle', ['PRESENCE-4'], () => undefined), ...laterEachTime() },
  {
    name: 'every report taken',
    only: 'presence/refused',
    violates: ['PRESENCE-1', 'PRESENCE-2', 'PRESENCE-31'],
    fault(answer, request) {
      if (path.test(request.path)) succeed(answer)
    },
  },
  {
    name: 'idle refused',
    only: 'presence/refused',
    violates: ['PRESENCE-2'],
    fault(answer, { parameters }) {
      if (parameters.get('status') === 'idle') refuse(answer)
    },
  },
  { ...everybodyAgain(), needsUsers: true },
  {
    ...answered('news never told', 'presence/newer', ['PRESENCE-8', 'PRESENCE-20', 'PRESENCE-29'], (body, request) => {
      if (Number(request.parameters.get('last_update_id')) > 0) body.presences = {}
    }),
    needsUsers: true,
  },
  {
    ...answered('ID that falls', 'presence/newer', ['PRESENCE-19'], (body, { parameters }) => {
      const sent = Number(parameters.get('last_update_id'))
      if (sent > 0) body.presence_last_update_id = sent - 1
    }),
    needsUsers: true,
  },
  ofOldPeople(
    'history_limit_days ignored',
    ['PRESENCE-10'],
    ({ days, isUpdate }) => isUpdate || days !== undefined || 14,
  ),
  ofOldPeople('history_limit_days always 1', ['PRESENCE-10', 'PRESENCE-11'], ({ isUpdate }) => isUpdate || 1),
  ofOldPeople(
    'history of 14 days at most',
    ['PRESENCE-10'],
    ({ days = 14, isUpdate }) => isUpdate || Math.min(days, 14),
  ),
  ofOldPeople('default history shorter than 14 days', ['PRESENCE-11'], ({ days = 7, isUpdate }) => isUpdate || days),
  ofOldPeople('default history longer than 14 days', ['PRESENCE-11'], ({ days = 30, isUpdate }) => isUpdate || days),
  ofOldPeople('history limited for updates, too', ['PRESENCE-12'], ({ days = 14 }) => days),
  {
    name: 'only who was here long ago told (presence/history)',
    only: 'presence/history',
    violates: ['PRESENCE-7'],
    fault: ofSuccess('POST', path, ({ presences = {} }) => {
      for (const [id, { idle_timestamp: at }] of Object.entries<Json>(presences)) {
        if (at > Date.now() / 1000 - 3600) delete presences[id]
      }
    }),
  },
  { ...entries('', 'presence/invisible', ['PRESENCE-26'], () => undefined), ...presentEachTime(), needsUsers: true },
  {
    name: 'presence_enabled never changes',
    only: 'presence/invisible',
    violates: ['PRESENCE-27'],
    needsUsers: true,
    fault: ofSuccess('POST', /^\/register$/, (body) => {
      if (body.user_settings) body.user_settings.presence_enabled = true
    }),
  },
  answered('always the modern format', 'legacy-presence/entries', ['PRESENCE-15', 'PRESENCE-17'], (body) => {
    const all = Object.entries(body.presences)
    body.presences = Object.fromEntries(all.map(([, entry], index) => [String(index + 1), entry]))
  }),
  answered('always addresses', 'legacy-presence/entries', ['PRESENCE-16', 'PRESENCE-24'], (body, { parameters }) => {
    if (parameters.get('slim_presence') === 'true') body.presences = numbersFor(body.presences)
  }),
  answered('addresses of nobody', 'legacy-presence/entries', ['PRES-FIELD-4'], (body, { parameters }) => {
    if (parameters.get('slim_presence') !== 'true') body.presences = numbersFor(body.presences)
  }),
  entries(
    'legacy entries unlike theirs',
    'legacy-presence/entries',
    ['PRES-FIELD-7', 'PRES-FIELD-8', 'PRES-FIELD-9', 'PRES-FIELD-10', 'PRESENCE-30'],
    (presences) =>
      each(presences, (entry) => {
        if (entry.website) entry.ZulipMobile = { client: null, status: 'here', timestamp: 0 }
      }),
  ),
  entries('legacy entries without a part', 'legacy-presence/entries', ['PRES-FIELD-5', 'PRES-FIELD-6'], (presences) =>
    each(presences, (entry) => {
      delete entry.aggregated
      delete entry.website
    }),
  ),
]

/** Idle reports that count as active ones. */
function laterEachTime(): Pick<SeededFault, 'name' | 'fault'> {
  let times = 0
  const { fault } = entries('', '', [], (presences) => {
    times += 1
    each(presences, (entry) => {
      entry.active_timestamp = entry.idle_timestamp + times
    })
  })
  return { name: 'idle counts as active', fault }
}

/** Reports of invisible people that are told. The IDs of a new server are small. */
function presentEachTime(): Pick<SeededFault, 'name' | 'fault'> {
  let times = 0
  const { fault } = entries('', '', [], (presences) => {
    times += 1
    for (let id = 1; id < 2000; id += 1) presences[id] ??= { active_timestamp: times, idle_timestamp: times }
  })
  return { name: 'invisible people told of', fault }
}

/** A server that tells of everybody whenever it is asked. */
function everybodyAgain(): SeededFault {
  const known: Json = {}
  return entries('everybody told again', 'presence/newer', ['PRESENCE-8', 'PRESENCE-29'], (presences) => {
    Object.assign(known, presences)
    Object.assign(presences, known)
  })
}
