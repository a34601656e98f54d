import type { Fault, PassingAnswer, PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'

const one = /^\/users\/[^/]+$/
const isUpdate = ({ method, path }: PassingRequest): boolean => method === 'PATCH' && one.test(path)

const needsUsers = true
const isRead = ({ method, path }: PassingRequest): boolean => method === 'GET' && one.test(path)

/** Groups with the members that they were made with. */
function firstMembers(): Fault {
  const made = new Map<number, unknown>()
  return ({ body }, { path, parameters }) => {
    if (path === '/user_groups/create') made.set(body.group_id, JSON.parse(parameters.get('members') ?? '[]'))
    for (const group of body?.realm_user_groups ?? []) group.members = made.get(group.id) ?? group.members
  }
}

/** Of an address that is hidden: `update` is what a request that names it, or the stand-in, comes to. */
function hiding(
  name: string,
  violates: string,
  update: (answer: PassingAnswer, isStandIn: boolean) => void,
): SeededFault {
  let isHidden = false
  let shown: string | undefined
  const fault: Fault = (answer, request) => {
    const { method, path, parameters } = request
    const address = answer.body?.user?.delivery_email
    if (method === 'GET' && typeof address === 'string') shown = encodeURIComponent(address)
    if (parameters.get('email_address_visibility') === '4') isHidden = true
    const isStandIn = path.startsWith('/users/user')
    const isNamed = isStandIn || (shown !== undefined && path.endsWith(shown))
    if (isUpdate(request) && isHidden && isNamed) update(answer, isStandIn)
  }
  return { name, only: 'accounts/by-address', violates: [violates], needsUsers, fault }
}

export const faults: readonly SeededFault[] = [
  {
    name: 'addresses changed by anybody, to any',
    only: 'users/email',
    violates: ['USER-UPD-10', 'USER-UPD-11', 'USER-UPD-16', 'AUTH-14'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request) && request.parameters.has('new_email')) succeed(answer)
    },
  },
  {
    name: 'addresses that nobody changes',
    only: 'users/email',
    violates: ['USER-UPD-9'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request) && request.parameters.get('new_email')) refuse(answer)
    },
  },
  {
    name: 'addresses of others passed over',
    only: 'users/email',
    violates: ['LEVEL-285'],
    needsUsers,
    fault(answer, request) {
      const isPassed = isUpdate(request) && request.parameters.has('new_email') && answer.status === 200
      if (isPassed) answer.body.ignored_parameters_unsupported = ['new_email']
    },
  },
  {
    name: 'updates of users refused',
    only: 'users/update',
    violates: ['USER-UPD-1', 'USER-UPD-2'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request)) refuse(answer)
    },
  },
  {
    name: 'updates of users left to moderators and guests',
    only: 'users/update',
    violates: ['USER-UPD-1'],
    needsUsers,
    fault: allowedButMembers(),
  },
  {
    name: 'updates of users answered and stored wrongly',
    only: 'users/update',
    violates: ['USER-UPD-1', 'USER-UPD-2', 'USER-UPD-3', 'USER-UPD-12', 'USER-UPD-14', 'USER-UPD-15', 'USER-UPD-17'],
    needsUsers,
    fault: wrongUpdates(),
  },
  {
    name: 'name that stays told as a change',
    only: 'users/update',
    violates: ['USER-UPD-17'],
    needsUsers,
    fault: ofSuccess('GET', /^\/events$/, (body) => {
      body.events = body.events.flatMap((event: Json) => [
        { ...event, person: { user_id: event.person?.user_id, role: 400 } },
        event,
      ])
    }),
  },
  {
    name: 'roles under other numbers, and all that should be refused taken',
    only: 'users/role',
    violates: ['USER-UPD-4', 'USER-UPD-5', 'USER-UPD-13'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request) && answer.status !== 200) succeed(answer)
      if (isRead(request) && answer.body?.user?.role === 300) answer.body.user.role = 350
    },
  },
  {
    name: 'a role refused',
    only: 'users/role',
    violates: ['USER-UPD-4'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request) && request.parameters.get('role') === '600') refuse(answer)
    },
  },
  {
    // One fault only, at a server of its own: while somebody else is an owner too, the check does not look at the last one.
    settings: { PARLEY_RATE_LIMITS: 'off' },
    name: 'ownership that everybody takes, and that nobody is seen to have',
    only: 'users/owner',
    violates: ['USER-UPD-5', 'USER-UPD-6', 'USER-UPD-7'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request) && answer.status !== 200) succeed(answer)
      if (isRead(request) && answer.body?.user?.role === 100) answer.body.user.role = 400
    },
  },
  {
    name: 'addresses name nobody',
    only: 'accounts/by-address',
    violates: ['USER-EMAIL-1'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request) && request.path.includes('%40')) refuse(answer)
    },
  },
  {
    name: 'by address nothing is refused, and no role given',
    only: 'accounts/by-address',
    violates: ['USER-EMAIL-4', 'USER-EMAIL-5'],
    needsUsers,
    fault(answer, request) {
      if (isUpdate(request)) succeed(answer)
      if (isRead(request) && answer.body?.user) answer.body.user.role = 400
    },
  },
  hiding('stand-in address names nobody', 'USER-EMAIL-2', (answer, isStandIn) => {
    if (isStandIn) refuse(answer)
  }),
  hiding('hidden address names its user', 'USER-EMAIL-3', (answer, isStandIn) => {
    if (!isStandIn) succeed(answer)
  }),
  {
    name: 'deactivated users removed, but not from groups',
    only: 'accounts/deactivated',
    violates: ['STATE-USER-2', 'LEVEL-222'],
    needsUsers,
    fault: removedButListed(),
  },
  {
    name: 'deactivated users stay in groups that people made',
    only: 'effects/create-user-group/deactivated',
    violates: ['STATE-USER-2'],
    needsUsers,
    fault: firstMembers(),
  },
  {
    name: 'deactivated users still named by the permissions of channels',
    only: 'accounts/named',
    violates: ['STATE-USER-2'],
    needsUsers,
    fault: stillNamed(),
  },
  {
    name: 'deactivated users still named where channels are listed',
    only: 'accounts/named',
    violates: ['STATE-USER-2'],
    needsUsers,
    fault: stillNamedInList(),
  },
  {
    name: 'nobody told that the permissions of channels name somebody less',
    only: 'accounts/named',
    violates: ['STATE-USER-2'],
    needsUsers,
    fault: ofSuccess('GET', /^\/events$/, (body) => {
      body.events = body.events.filter(({ property = '' }: Json) => !property.startsWith('can_'))
    }),
  },
  {
    name: 'deactivation refused',
    only: 'accounts/deactivated',
    violates: ['STATE-USER-3'],
    needsUsers,
    fault(answer, { method, path }) {
      if (method === 'DELETE' && path.startsWith('/users/')) refuse(answer)
    },
  },
  {
    name: 'bots of another organization',
    only: 'accounts/organization',
    violates: ['SCOPE-1'],
    fault: ofSuccess('GET', /^\/messages\/\d+$/, ({ message }) => {
      if (message.sender_email.includes('bot')) message.sender_realm_str = 'bots'
    }),
  },
  {
    name: 'members that nobody sees',
    only: 'accounts/organization',
    violates: ['SCOPE-1'],
    fault: ofSuccess('GET', /^\/users$/, (body) => {
      body.members = body.members.filter(({ is_bot: isBot }: Json) => !isBot)
    }),
  },
]

/** Members, who come first, are refused; those who come after are not. */
function allowedButMembers(): Fault {
  let refused = 0
  return (answer, request) => {
    if (!isUpdate(request) || answer.body?.code !== 'UNAUTHORIZED_PRINCIPAL') return
    refused += 1
    if (refused > 1) succeed(answer)
  }
}

function wrongUpdates(): Fault {
  let isUpdated = false
  return (answer, request) => {
    const { body } = answer
    if (isUpdate(request)) {
      isUpdated = true
      if (body?.code === 'UNAUTHORIZED_PRINCIPAL') succeed(answer)
      else if (answer.status !== 200) body.msg = 'No'
      else if (request.parameters.get('full_name') === ' ') refuse(answer)
      else body.user = {}
    }
    if (isUpdated && isRead(request) && body?.user) Object.assign(body.user, { full_name: 'A', timezone: 'Asia/Tokyo' })
  }
}

/** Permissions name whomever they ever named. */
function stillNamed(): Fault {
  const known = new Map<string, unknown>()
  return ofSuccess('GET', /^\/users\/me\/subscriptions$/, ({ subscriptions }) => {
    for (const one of subscriptions) {
      const key = `channel ${one.stream_id}`
      if (!known.has(key)) known.set(key, one.can_remove_subscribers_group)
      one.can_remove_subscribers_group = known.get(key)
    }
  })
}

/** The list of all channels names whomever the list of the caller's own has ever named. */
function stillNamedInList(): Fault {
  const known = new Map<number, unknown>()
  return ({ body }, { path }) => {
    if (path === '/users/me/subscriptions') {
      for (const { stream_id: id, can_remove_subscribers_group: value } of body?.subscriptions ?? []) {
        if (!known.has(id)) known.set(id, value)
      }
    }
    for (const one of body?.streams ?? []) one.can_remove_subscribers_group = known.get(one.stream_id) ?? 2
  }
}

/** Groups hold whomever they ever held, and events tell of the past. */
function removedButListed(): Fault {
  const seen = new Map<number, number[]>()
  return ({ body }, { path }) => {
    for (const group of (path === '/register' && body?.realm_user_groups) || []) {
      group.members = [...new Set([...(seen.get(group.id) ?? []), ...group.members])]
      seen.set(group.id, group.members)
    }
    for (const event of (path === '/events' && body?.events) || []) {
      if (event.person?.is_active !== undefined) event.op = event.person.is_active ? 'add' : 'remove'
    }
  }
}
