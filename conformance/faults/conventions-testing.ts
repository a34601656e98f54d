import type { Fault, SeededFault } from '../testing.ts'
import { refuse, succeed } from './changes-testing.ts'

const conventions = 'conventions/parameters'

export const faults: readonly SeededFault[] = [
  {
    name: 'form not read',
    only: conventions,
    violates: ['ENV-1'],
    needsUsers: true,
    fault(answer, { path, parameters }) {
      if (path === '/messages' && parameters.get('topic') === 'conventions') refuse(answer)
    },
  },
  {
    name: 'query not read',
    only: conventions,
    violates: ['ENV-2'],
    fault({ body }, { parameters }) {
      if (parameters.has('apply_markdown') && body?.message) body.message.content = '<p>HTML</p>'
    },
  },
  {
    name: 'path not read',
    only: conventions,
    violates: ['ENV-5'],
    fault({ body }) {
      if (body?.message) body.message.id += 1
    },
  },
  {
    name: 'query before form',
    only: conventions,
    violates: ['ENV-14'],
    fault(answer, { method, parameters }) {
      if (method === 'POST' && parameters.getAll('content').length > 1) refuse(answer)
    },
  },
  {
    name: 'time in milliseconds',
    only: conventions,
    violates: ['ENV-16'],
    fault({ body }) {
      if (body?.message) body.message.timestamp *= 1000
    },
  },
  {
    name: 'API at the root',
    only: 'conventions/addresses',
    violates: ['ENV-17'],
    fault: alsoAtTheRoot(),
  },
  ...([404, 405] as const).map((status) => ({
    name: `a page of HTML with HTTP ${status}`,
    only: 'conventions/addresses',
    violates: ['ENV-6'],
    fault: pageFor(status, /./),
  })),
  {
    name: 'a page of HTML where there is no file',
    only: 'conventions/files',
    violates: ['ENV-6'],
    fault: pageFor(404, /^\/user_uploads\//),
  },
  {
    name: 'success at an unknown address and for an unknown method',
    only: 'conventions/addresses',
    violates: ['ERR-HTTP-5', 'ERR-HTTP-6'],
    fault(answer) {
      if (answer.status === 404 || answer.status === 405) succeed(answer)
    },
  },
  {
    name: 'another level in the state',
    only: 'conventions/level',
    violates: ['LEVEL-INT'],
    fault({ body }, { path }) {
      if (path === '/register') body.zulip_feature_level += 1
    },
  },
  {
    name: 'served without credentials',
    only: 'authentication/none',
    violates: ['AUTH-2', 'AUTH-17'],
    fault(answer) {
      if (answer.status === 401) succeed(answer)
    },
  },
  {
    name: 'every key accepted',
    only: 'authentication/basic',
    violates: ['AUTH-3', 'AUTH-4', 'AUTH-18'],
    fault(answer) {
      if (answer.status === 401) succeed(answer)
    },
  },
  {
    name: 'account of somebody else',
    only: 'authentication/basic',
    violates: ['AUTH-1', 'AUTH-20'],
    needsUsers: true,
    fault({ body }, { path }) {
      if (path === '/users/me' && body.role === 400) body.user_id += 1
    },
  },
  {
    name: 'bot taken for another after the first time',
    only: 'authentication/bot',
    violates: ['AUTH-5'],
    fault: afterFirst(({ body }, { path }) => {
      if (path === '/users/me' && body.is_bot) body.user_id += 1
    }),
  },
  {
    name: 'key of somebody else for a password',
    only: 'authentication/password',
    violates: ['AUTH-16'],
    needsUsers: true,
    fault({ body }, { path }) {
      if (path === '/fetch_api_key') body.user_id += 1
    },
  },
  {
    name: 'deactivated account served',
    only: 'authentication/deactivated',
    violates: ['AUTH-19'],
    needsUsers: true,
    fault(answer) {
      if (answer.status === 401) succeed(answer)
    },
  },
]

/** What was last answered below /api/v1 is answered without it too. */
function alsoAtTheRoot(): Fault {
  let last: unknown
  return (answer, { path }) => {
    if (path !== '/users/me') return
    if (answer.status === 200) last = answer.body
    else answer.body = last
  }
}

/** Leaves alone what the suite looks at before it begins. */
function afterFirst(fault: Fault): Fault {
  const seen = new Set<unknown>()
  return (answer, request) => {
    const userId = answer.body?.user_id
    if (seen.has(userId)) fault(answer, request)
    seen.add(userId)
  }
}

function pageFor(status: number, path: RegExp): Fault {
  return (answer, request) => {
    if (answer.status === status && path.test(request.path)) answer.body = '<h1>Nothing here</h1>'
  }
}
