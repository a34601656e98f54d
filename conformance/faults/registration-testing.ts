import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { byDefault, changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const register = ['POST', '/register'] as const

/** What needs an administrator, who may make users. */
const needing = new Set(['narrow'])

function registering(only: string, name: string, change: Parameters<typeof misread>[3]): SeededFault {
  return misread(`register-queue/${only}`, name, register, change, { needsUsers: needing.has(only) })
}

function lacking(capability: string): SeededFault {
  const change = changedJson('client_capabilities', ({ [capability]: _, ...others }: Json) => others)
  return misread('register-queue/capabilities', `nobody has ${capability}`, register, change, { needsUsers: true })
}

function havingAlways(capability: string): SeededFault {
  const change = changedJson('client_capabilities', (known: Json) => ({ ...known, [capability]: true }))
  return misread('register-queue/capabilities', `everybody has ${capability}`, register, change, { needsUsers: true })
}

const capabilities = ['bulk_message_deletion', 'stream_typing_notifications', 'archived_channels']

/** Parameters of POST /register that are passed over, or taken for others. */
export const faults: readonly SeededFault[] = [
  registering('types', 'queues that get everything', (parameters) => {
    if (parameters.has('fetch_event_types')) parameters.delete('event_types')
  }),
  registering('types', 'fetch_event_types passed over', without('fetch_event_types')),
  registering('types', 'no types to fetch taken for none said', without('fetch_event_types', '[]')),
  registering('types', 'types to fetch are those of events', (parameters) => {
    const fetched = parameters.get('fetch_event_types')
    if (fetched !== null && fetched !== '[]') parameters.set('event_types', fetched)
  }),
  registering('form', 'apply_markdown passed over', without('apply_markdown')),
  registering('form', 'HTML if nothing is said', byDefault('apply_markdown', 'true')),
  registering('form', 'client_gravatar passed over', without('client_gravatar')),
  registering('form', 'no client_gravatar if nothing is said', byDefault('client_gravatar', 'false')),
  registering('subscribers', 'include_subscribers passed over', without('include_subscribers')),
  registering('subscribers', 'partial taken for none', without('include_subscribers', 'partial')),
  registering('subscribers', 'subscribers if nothing is said', byDefault('include_subscribers', 'true')),
  registering('all_public_streams', 'all_public_streams passed over', without('all_public_streams')),
  registering('all_public_streams', 'all public channels if nothing is said', byDefault('all_public_streams', 'true')),
  registering('presence', 'slim_presence passed over', without('slim_presence')),
  registering('presence', 'slim presence if nothing is said', byDefault('slim_presence', 'true')),
  registering('idle_queue_timeout', 'idle_queue_timeout passed over', without('idle_queue_timeout', '1800')),
  registering('idle_queue_timeout', 'mobile taken for nothing said', without('idle_queue_timeout', 'mobile')),
  registering('idle_queue_timeout', 'queue_lifespan_secs passed over', without('queue_lifespan_secs')),
  registering('idle_queue_timeout', 'queues that live a minute', byDefault('idle_queue_timeout', '60')),
  registering('notification_settings_null', 'null for everybody', (parameters) => {
    parameters.set('client_capabilities', '{"notification_settings_null":true}')
  }),
  registering('notification_settings_null', 'null for nobody', without('client_capabilities')),
  ...capabilities.flatMap((name) => [lacking(name), havingAlways(name)]),
  misanswered(
    'register-queue/narrow',
    'edits that a narrow keeps away',
    ofEventList((events) => events.filter(({ type }) => type !== 'update_message')),
    true,
  ),
  registering('narrow', 'narrows passed over', without('narrow')),
  misanswered(
    'register-queue/realm_bot',
    'bots that belong to nobody',
    ofSuccess('POST', '/register', (body) => {
      if (body.realm_bots) body.realm_bots = []
    }),
    true,
  ),
  misanswered(
    'register-queue/realm_bot',
    'bots that belong to everybody',
    ofSuccess('POST', '/register', (body) => {
      if (body.realm_bots) body.realm_bots = Array.from({ length: 2000 }, (_, user_id) => ({ user_id }))
    }),
    true,
  ),
]
