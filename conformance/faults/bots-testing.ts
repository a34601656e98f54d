import type { SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

const needsUsers = true
const making = ['POST', '/bots'] as const
const one = /^\/bots\/\d+$/
const key = /^\/bots\/\d+\/api_key$/

export const faults: readonly SeededFault[] = [
  {
    name: 'a bot that stays with its former owner',
    only: 'bots/owner',
    violates: ['EV-REALMUSER-12'],
    needsUsers,
    fault: ofEvent('realm_user', ({ person }) => {
      if ('bot_owner_id' in person) person.bot_owner_id += 1
    }),
  },
  misread('create-bot', 'bots that only hear what they follow', making, without('default_all_public_streams'), {
    needsUsers,
  }),
  misread(
    'create-bot',
    'bots of another kind',
    making,
    (parameters) => {
      parameters.set('bot_type', '2')
    },
    { needsUsers },
  ),
  misanswered(
    'create-bot',
    'bots that nobody is told of',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm_bot')),
    needsUsers,
  ),
  misanswered(
    'create-bot',
    'a list of bots that is always empty',
    ofSuccess('GET', '/bots', (body) => {
      body.bots = []
    }),
    needsUsers,
  ),
  misread('update-bot', 'bots that keep their names', ['PATCH', one], without('full_name'), { needsUsers }),
  misanswered(
    'update-bot',
    'bots whose changes nobody is told of',
    ofEventList((events) => events.filter(({ type, op }) => type !== 'realm_bot' || op !== 'update')),
    needsUsers,
  ),
  misanswered(
    'deactivate-bot',
    'bots that stay in use',
    ofSuccess('GET', /^\/users\/\d+$/, (body) => {
      body.user.is_active = true
    }),
    needsUsers,
  ),
  misanswered(
    'get-bot-api-key',
    'keys of other bots',
    ofSuccess('GET', key, (body) => {
      body.api_key = [...body.api_key].toReversed().join('')
    }),
    needsUsers,
  ),
  misanswered(
    'get-bot-api-key',
    'keys for everybody',
    (answer, { method, path }) => {
      if (method === 'GET' && key.test(path)) succeed(answer)
    },
    needsUsers,
  ),
]
