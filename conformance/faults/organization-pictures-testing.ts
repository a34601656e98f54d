import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const [ofIcon, ofLogo] = ['upload-realm-icon', 'upload-realm-logo'] as const
const served = /^\/user_avatars\/realm\//

const ofPicture = (change: (event: Json) => void) =>
  ofEvent('realm', (event) => {
    if (event.op === 'update_dict' && event.property !== 'default') change(event)
  })

/** A server that takes any file for a picture. */
const anything = (path: string, fields: object) =>
  ((answer, request) => {
    if (request.method === 'POST' && request.path === path && answer.status === 400) succeed(answer, fields)
  }) satisfies SeededFault['fault']

const untold = ofEventList((events) =>
  events.filter(({ type, property = 'default' }) => type !== 'realm' || property === 'default'),
)

const ofRegistration = (change: (state: Json) => void) =>
  ofSuccess('POST', '/register', (state) => {
    if (state.realm_icon_source !== undefined) change(state)
  })

const noPicture = (path: string | RegExp) =>
  ((answer, request) => {
    const isMeant = typeof path === 'string' ? request.path === path : path.test(request.path)
    if (request.method === 'GET' && isMeant) answer.status = 404
  }) satisfies SeededFault['fault']

export const faults: readonly SeededFault[] = [
  misanswered(ofIcon, 'anything an icon', anything('/realm/icon', { icon_url: '/x' })),
  misanswered(ofIcon, 'icons that are not told', untold),
  misanswered(
    ofIcon,
    'icons told as settings',
    ofPicture((event) => {
      event.property = 'default'
    }),
  ),
  misanswered(
    ofIcon,
    'icons of no source',
    ofPicture(({ data }) => {
      data.icon_source = 'G'
    }),
  ),
  misanswered(
    ofIcon,
    'clients that start do not know that the icon is uploaded',
    ofRegistration((state) => {
      state.realm_icon_source = 'G'
    }),
  ),
  misanswered(
    ofIcon,
    'clients that start find the icon elsewhere',
    ofRegistration((state) => {
      state.realm_icon_url = 'https://conformance.example/icon'
    }),
  ),
  misanswered(
    ofIcon,
    'icons answered where they are not',
    ofSuccess('POST', '/realm/icon', (body) => {
      body.icon_url = '/user_avatars/realm/elsewhere.png'
    }),
  ),
  misanswered(
    ofIcon,
    'icons that whoever logs in does not see',
    ofSuccess('GET', '/server_settings', (body) => {
      body.realm_icon = 'https://conformance.example/icon'
    }),
  ),
  misanswered(ofIcon, 'icons that are not there', noPicture(served)),
  misanswered(ofIcon, 'no icon by its own name', noPicture('/realm/icon')),
  misanswered(ofIcon, 'icons that stay', (answer, { path }) => {
    if (!served.test(path) || answer.status !== 404) return
    answer.status = 200
    answer.body = '\ufffdPNG'
  }),
  misanswered(ofLogo, 'anything a logo', anything('/realm/logo', {})),
  misanswered(ofLogo, 'logos that are not told', untold),
  misanswered(
    ofLogo,
    'logos for one background only',
    ofPicture((event) => {
      event.property = 'logo'
    }),
  ),
  misanswered(
    ofLogo,
    'logos told with what they are not',
    ofPicture(({ data }) => {
      data.icon_url = '/x'
    }),
  ),
  misanswered(
    ofLogo,
    'clients that start do not know that a logo is uploaded',
    ofRegistration((state) => {
      state.realm_night_logo_source = 'D'
    }),
  ),
  misanswered(ofLogo, 'logos that are not there', noPicture(served)),
  misanswered(ofLogo, 'no logo by its own name', noPicture('/realm/logo')),
  misanswered(
    ofLogo,
    'a parameter in the form passed over',
    ofSuccess('POST', '/realm/logo', (body) => {
      body.ignored_parameters_unsupported = ['night']
    }),
  ),
]
