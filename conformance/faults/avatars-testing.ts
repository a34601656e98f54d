import type { SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const only = 'upload-own-avatar'
const picture = /^\/user_avatars\//

const ofOwn = (change: (own: Json) => void) => ofSuccess('GET', '/users/me', change)
const ofPerson = (change: (person: Json) => void) =>
  ofEvent('realm_user', ({ person }) => {
    if (person?.avatar_source !== undefined) change(person)
  })

/** Whose picture changes is a new account. */
const changes: readonly SeededFault[] = [
  misanswered(only, 'anything a picture of somebody', (answer, { method, path }) => {
    if (method === 'POST' && path === '/users/me/avatar' && answer.status === 400) succeed(answer, { avatar_url: '/x' })
  }),
  misanswered(
    only,
    'pictures that are not told',
    ofEventList((events) => events.filter(({ person }) => person?.avatar_source === undefined)),
  ),
  misanswered(
    only,
    'pictures of no source',
    ofPerson((person) => {
      person.avatar_source = 'G'
    }),
  ),
  misanswered(
    only,
    'pictures that are all the first',
    ofPerson((person) => {
      person.avatar_version = 1
    }),
  ),
  misanswered(
    only,
    'uploaded pictures left to clients',
    ofSuccess('GET', /^\/users\/\d+$/, ({ user }) => {
      user.avatar_url = null
    }),
  ),
  misanswered(
    only,
    'a version of a picture before',
    ofSuccess('GET', /^\/users\/\d+$/, ({ user }) => {
      user.avatar_version += 1
    }),
  ),
  misanswered(
    only,
    'own pictures as before',
    ofOwn((own) => {
      own.avatar_url = 'https://conformance.example/picture'
    }),
  ),
  misanswered(
    only,
    'clients that start do not know that theirs is uploaded',
    ofSuccess('POST', '/register', (state) => {
      if (state.avatar_source !== undefined) state.avatar_source = 'G'
    }),
  ),
  misanswered(only, 'pictures that are not there', (answer, { path }) => {
    if (picture.test(path)) answer.status = 404
  }),
  misanswered(only, 'pictures that stay', (answer, { path }) => {
    if (!picture.test(path) || answer.status !== 404) return
    answer.status = 200
    answer.body = '\ufffdPNG'
  }),
  misanswered(
    only,
    'messages with the picture of somebody else',
    ofMessage((message) => {
      message.avatar_url = 'https://conformance.example/picture'
    }),
  ),
]

export const faults: readonly SeededFault[] = changes.map((one) => ({ ...one, needsUsers: true }))
