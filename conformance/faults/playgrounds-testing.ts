import { ids } from '../kernel/check.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const only = 'add-code-playground'
const adding = ['POST', '/realm/playgrounds'] as const

const accepted =
  (method: string, path: RegExp): Fault =>
  (answer, request) => {
    if (request.method === method && path.test(request.path) && answer.status === 400) succeed(answer, { id: 1 })
  }

export const faults: readonly SeededFault[] = [
  {
    name: 'anything a playground',
    only: 'playgrounds/refused',
    violates: ids('PLAYGROUND', [1, 2, 3, 4, 5, 6, 9, 10]),
    fault: accepted('POST', /^\/realm\/playgrounds$/),
  },
  {
    name: 'playgrounds with IDs that are texts',
    only: 'playgrounds/refused',
    violates: ['PLAYGROUND-7', 'REC-2'],
    fault: (answer, { method, path }) => {
      if (method === 'POST' && path === '/realm/playgrounds' && answer.status === 200)
        answer.body.id = String(answer.body.id)
    },
  },
  {
    name: 'the prefix of an address taken for its template',
    only: 'playgrounds/refused',
    violates: ['PLAYGROUND-3'],
    fault: () => {},
    before({ method, url, form }) {
      if (method !== 'POST' || !url.pathname.endsWith('/realm/playgrounds')) return
      const prefix = form.get('url_prefix')
      if (prefix !== null) form.set('url_template', `${prefix}{code}`)
    },
  },
  {
    name: 'playgrounds of everybody',
    only: 'playgrounds/rights',
    violates: ['PLAYGROUND-8'],
    needsUsers: true,
    fault: accepted('POST', /^\/realm\/playgrounds$/),
  },
  {
    name: 'playgrounds that are refused',
    only: 'playgrounds/refused',
    violates: ['PLAYGROUND-9', 'REC-1'],
    fault: (answer, { method, path }) => {
      if (method === 'POST' && path === '/realm/playgrounds' && answer.status === 200) answer.status = 202
    },
  },
  {
    name: 'playgrounds with more than they have',
    only: 'playgrounds/refused',
    violates: ['REC-10'],
    fault: ({ body }) => {
      for (const one of body?.realm_playgrounds ?? []) one.url_prefix = ''
    },
  },
  misread(only, 'playgrounds of another language', adding, (parameters) => {
    if (parameters.has('pygments_language')) parameters.set('pygments_language', 'Perl')
  }),
  misread(only, 'playgrounds at another address', adding, (parameters) => {
    if (parameters.has('url_template')) parameters.set('url_template', 'https://other.example/{code}')
  }),
  misanswered(
    only,
    'playgrounds that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm_playgrounds')),
  ),
  misanswered(
    only,
    'the last playground left out',
    ofEvent('realm_playgrounds', (event) => {
      event.realm_playgrounds = event.realm_playgrounds.slice(0, -1)
    }),
  ),
  misanswered(only, 'playgrounds removed twice', accepted('DELETE', /^\/realm\/playgrounds\/\d+$/)),
]
