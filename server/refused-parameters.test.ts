import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { organizationSettings } from '../domain/organization/organization-settings.ts'
import { isOrganizationGroupSetting } from '../domain/user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../domain/user-groups/system-groups.ts'
import { IDLE_SETTINGS } from '../generated/settings.ts'
import type { ContractOperation } from './contract.ts'
import { refusedParameters, refuseWishes } from './refused-parameters.ts'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer } from './testing.ts'

/** A call that would succeed without the parameter, and the visible state of its subject. */
interface Target {
  readonly as: ApiClient
  readonly method: 'DELETE' | 'PATCH' | 'POST'
  readonly path: string
  /** More parameters, which change something that `state` shows. */
  readonly values: Readonly<Record<string, unknown>>
  state(): Promise<unknown>
}

interface Refusal {
  /** Id of the operation, and the parameter. */
  readonly parameter: `${string} ${string}`
  readonly target: (server: TestServer) => Promise<Target>
  /** Values that would change something. */
  readonly refused: readonly unknown[]
  /** Values that clients send and that would change nothing, such as the target's own place. */
  readonly accepted: readonly unknown[]
}

/** Parameters that the contract documents and Parley does not support. The list may only shrink. */
const REFUSED: readonly Refusal[] = [
  {
    parameter: 'deactivate-user deactivation_notification_comment',
    target: leaver,
    refused: ['Farewell!'],
    accepted: ['', ' '],
  },
  ...['default_sending_stream', 'default_events_register_stream'].flatMap((name): Refusal[] => [
    { parameter: `create-bot ${name}`, target: newBot, refused: ['general'], accepted: [''] },
    { parameter: `update-bot ${name}`, target: bot, refused: ['general'], accepted: [''] },
  ]),
  ...idleSettings(),
]

/** Settings of the organization on which nothing depends yet: only their current value is accepted. */
function idleSettings(): Refusal[] {
  const present = organizationSettings({})
  return IDLE_SETTINGS.map((name) => {
    const value: unknown = present[name]
    const isGroup = isOrganizationGroupSetting(name)
    return {
      parameter: `update-realm ${name}`,
      target: organization,
      refused: [isGroup ? { new: SYSTEM_GROUP_ID['role:moderators'] } : otherValue(name, value)],
      accepted: [isGroup ? { new: value, old: value } : value],
    }
  })
}

function otherValue(name: string, value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return name === 'default_avatar_source' ? 'J' : 'Welcome!'
  return name === 'media_preview_size' ? 200 : 5
}

async function organization(server: TestServer): Promise<Target> {
  const as = server.as('owner')
  const state = async () => {
    const { queue_id: _, ...shown } = await as.must('POST', '/register', { fetch_event_types: ['realm'] })
    return shown
  }
  return { as, method: 'PATCH', path: '/realm', values: { description: server.unique('Described') }, state }
}

async function user(server: TestServer): Promise<Target> {
  const [as, { userId }] = [server.as('owner'), await server.newUser()]
  const path = `/users/${userId}`
  const state = async () => (await as.must('GET', path, { include_custom_profile_fields: true })).user
  return { as, method: 'PATCH', path, values: { full_name: server.unique('Renamed') }, state }
}

async function newBot(server: TestServer): Promise<Target> {
  const as = await server.newUser()
  const values = { full_name: server.unique('Bot'), short_name: server.unique('bot').replaceAll(' ', '-') }
  return { as, method: 'POST', path: '/bots', values, state: () => as.must('GET', '/bots') }
}

async function bot(server: TestServer): Promise<Target> {
  const { as, values, state } = await newBot(server)
  const { user_id: id } = await as.must('POST', '/bots', values)
  return { as, method: 'PATCH', path: `/bots/${id}`, values: { full_name: server.unique('Renamed') }, state }
}

async function leaver(server: TestServer): Promise<Target> {
  return { ...(await user(server)), method: 'DELETE', values: {} }
}

onEachDatabase('unsupported parameters are refused if they would change something (DIFF-REFUSED)', (dialect) => {
  const parley = sharedParley(dialect)

  for (const { parameter, target, refused, accepted } of REFUSED) {
    const [, name = ''] = parameter.split(' ')

    test(`${parameter}: refused by its name, and nothing changes`, async () => {
      const { as, method, path, values, state } = await target(await parley())
      const before = await state()
      for (const value of refused) {
        const { status, body } = await as.request(method, path, { ...values, [name]: value })
        const msg = `${name} is not supported yet; nothing was changed`
        assert.deepEqual([status, body], [400, { result: 'error', msg, code: 'BAD_REQUEST' }], JSON.stringify(value))
        assert.deepEqual(await state(), before)
      }
    })

    test(`${parameter}: with a value that changes nothing, the call does what it is for`, async () => {
      for (const value of accepted) {
        const { as, method, path, values, state } = await target(await parley())
        const before = await state()
        const body = await as.must(method, path, { ...values, [name]: value })
        assert.ok(!('ignored_parameters_unsupported' in body), JSON.stringify(value))
        assert.notDeepEqual(await state(), before)
      }
    })
  }
})

test('the list is that of the contract', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../generated/decoded.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, ContractOperation>>
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const inContract = operations.flatMap((operation) =>
    Object.entries(operation['x-decode'] ?? {}).flatMap(([name, { refused }]) =>
      refused === undefined ? [] : [`${operation.operationId} ${name}`],
    ),
  )
  assert.deepEqual(inContract.toSorted(), REFUSED.map(({ parameter }) => parameter).toSorted())
})

test('the engine refuses unsupported requests, except those that handlers refuse', () => {
  const operation = {
    'x-decode': {
      a: { in: 'form', as: 'json', aliases: [], refused: true },
      b: { in: 'form', as: 'json', aliases: [], refused: 'by-handler' },
      c: { in: 'form', as: 'json', aliases: [] },
    },
  } as const
  assert.deepEqual(refusedParameters(operation), ['a'])
  for (const nothing of [undefined, null, false, '', ' \n', [], {}, { x: false, y: { z: [] } }])
    refuseWishes(['a'], { a: nothing, b: 1 })
  for (const something of [true, 0, 1, 'x', [false], { x: { y: true } }, { x: 0 }])
    assert.throws(() => refuseWishes(['a'], { a: something }), /^UnsupportedParameterError: a is not supported yet/)
})
