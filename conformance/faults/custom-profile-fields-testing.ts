import { ids } from '../kernel/check.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

const only = 'get-custom-profile-fields'
const values = 'profiles/values'
const fields = /^\/realm\/profile_fields$/
const field = /^\/realm\/profile_fields\/\d+$/
const own = '/users/me/profile_data'

const accepted =
  (method: string, path: RegExp | string): Fault =>
  (answer, request) => {
    const isMeant = typeof path === 'string' ? request.path === path : path.test(request.path)
    if (request.method === method && isMeant && answer.status === 400) succeed(answer, { id: 1 })
  }

/** What a change of a profile says in events. */
const ofChange = (change: (said: Json) => void): Fault =>
  ofEvent('realm_user', (event) => {
    if (event.person?.custom_profile_field) change(event.person.custom_profile_field)
  })

const sayings: readonly SeededFault[] = [
  {
    name: 'anything said in a profile',
    only: values,
    violates: [...ids('CPF', [1, 2, 4, 7]), ...ids('PROFILE', [1, 4, 5, 6])],
    fault: accepted('PATCH', own),
  },
  {
    name: 'nothing said in a profile',
    only: values,
    violates: ids('CPF', [3, 5, 7]),
    fault: (answer, { method, path }) => {
      if (method === 'PATCH' && path === own && answer.status === 200) refuse(answer)
    },
  },
  {
    name: 'profiles without what was said',
    only: values,
    violates: ['PROFILE-2', 'USER-UPD-8'],
    fault: ({ body }) => {
      if (body?.user?.profile_data) body.user.profile_data = {}
    },
  },
  {
    name: 'profiles that keep everything',
    only: values,
    violates: ['CPF-6'],
    fault: ({ body }) => {
      const { profile_data: said } = body?.user ?? {}
      if (said) body.user.profile_data = everything(said)
    },
  },
  {
    name: 'the profile in the answer to a change of it',
    only: values,
    violates: ['PROFILE-3'],
    fault: ofSuccess('PATCH', own, (body) => {
      body.profile_data = {}
    }),
  },
  {
    name: 'fields of profiles with texts for IDs',
    only: values,
    violates: ['EV-REALMUSER-16'],
    fault: ofChange((said) => {
      said.id = String(said.id)
    }),
  },
  {
    name: 'changes of profiles without a value',
    only: values,
    violates: ['EV-REALMUSER-17'],
    fault: ofChange((said) => {
      said.value = ''
    }),
  },
  {
    name: 'values of profiles that nobody rendered',
    only: values,
    violates: ['EV-REALMUSER-18'],
    fault: ofChange((said) => {
      delete said.rendered_value
    }),
  },
  {
    name: 'links of profiles as HTML',
    only: values,
    violates: ['EV-REALMUSER-18'],
    fault: ofChange((said) => {
      if (typeof said.value === 'string') said.rendered_value ??= `<p>${said.value}</p>`
    }),
  },
]

/** A value for every field that there can be. */
function everything(said: Json): Json {
  const highest = Math.max(0, ...Object.keys(said).map(Number))
  const all = Array.from({ length: highest + 100 }, (_, index) => [index + 1, { value: 'kept' }])
  return { ...Object.fromEntries(all), ...said }
}

const adding = ['POST', '/realm/profile_fields'] as const
const changing = ['PATCH', field] as const

const lists: readonly SeededFault[] = [
  misread(only, 'fields of profiles without a hint', adding, without('hint')),
  misread(only, 'fields of profiles that keep their names', changing, without('name')),
  misread(only, 'fields of profiles that keep their hints', changing, without('hint')),
  misread(only, 'fields of profiles that keep their choices', changing, without('field_data')),
  ...['required', 'editable_by_user', 'use_for_user_matching'].flatMap((name) => [
    misread(only, `new fields of profiles without ${name}`, adding, without(name)),
    misread(only, `fields of profiles that keep ${name}`, changing, without(name)),
  ]),
  misread(only, 'fields of profiles for one line of text', adding, (parameters) => {
    if (parameters.get('field_type') === '3') parameters.set('field_type', '1')
  }),
  misanswered(
    only,
    'fields of profiles that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'custom_profile_fields')),
  ),
  misanswered(
    only,
    'profiles that are not told',
    ofEventList((events) => events.filter(({ person }) => !person?.custom_profile_field)),
  ),
  misanswered(
    only,
    'fields of profiles in the order of their IDs',
    ofSuccess('GET', '/realm/profile_fields', (body) => {
      body.custom_fields.sort((one: Json, other: Json) => one.id - other.id)
    }),
  ),
  misanswered(
    only,
    'fields of profiles that nobody sees',
    ofSuccess('GET', '/realm/profile_fields', (body) => {
      body.custom_fields = []
    }),
  ),
  misanswered(only, 'any field in profiles', accepted('POST', fields)),
  misanswered(only, 'orders of some fields', accepted('PATCH', fields)),
  misanswered(only, 'fields of profiles removed twice', accepted('DELETE', field)),
  misread(only, 'profiles that keep what was said', ['DELETE', own], (parameters) => {
    parameters.set('data', '[]')
  }),
  misread(only, 'profiles that say something else', ['PATCH', own], (parameters) => {
    parameters.set('data', (parameters.get('data') ?? '').replaceAll('*Lisbon*', '*Porto*'))
  }),
]

export const faults: readonly SeededFault[] = [...sayings, ...lists]
