import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import {
  type Organization,
  type OrganizationSettings,
  organizationSettings,
} from '../domain/organization/organization-settings.ts'
import { NO_PICTURES } from '../domain/organization/pictures.ts'
import type { GroupSettingValue } from '../domain/user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../domain/user-groups/system-groups.ts'
import { realmState } from './realm-state.ts'

const { components } = JSON.parse(readFileSync(new URL('../generated/wire.json', import.meta.url), 'utf8'))
const schema = components.schemas.PartialRealmState

function validator(): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  ajvFormats.default(ajv)
  return ajv.compile({ ...schema, required: Object.keys(schema.properties), components })
}

const site = {
  publicUrl: 'https://chat.example.com',
  wireValues: 'contract',
  ownerFullContentAccess: false,
  hasDevelopmentLogin: false,
  sendsPushNotifications: false,
} as const
const uploads = { maxFileMib: 25, quotaMib: null }
/** The organization of the contract's example. */
function exampleOrganization(settings: Partial<OrganizationSettings> = {}): Organization {
  return {
    id: 1,
    uuid: '0f8a5d4c-7c5e-4d53-9a55-3d6f5d0c9b11',
    stringId: '',
    name: 'Harbour',
    description: 'Everything about the **harbour**.',
    createdAt: 1767225600,
    settings: organizationSettings(settings),
    pictures: NO_PICTURES,
    isDeactivated: false,
  }
}

test('return exactly the fields of the contract', () => {
  const state = realmState(exampleOrganization(), site, uploads)
  const validate = validator()
  assert.ok(validate(state), JSON.stringify(validate.errors, null, 1))
  assert.deepEqual(Object.keys(state).sort(), Object.keys(schema.properties).sort())
  assert.equal(validate({ ...state, realm_name: 7 }), false)
  assert.equal(validate({ ...state, realm_can_create_groups: { direct_members: [] } }), false)
})

test("answer the contract's example for its organization", () => {
  const [example] = schema.examples
  const { server_supported_permission_settings: permissions, ...state } = realmState(
    exampleOrganization(),
    site,
    uploads,
  )
  const { server_supported_permission_settings: examplePermissions, ...exampleState } = example
  assert.deepEqual(exampleState, state)
  for (const kind of ['realm', 'stream', 'group'] as const) {
    for (const [name, setting] of Object.entries(examplePermissions[kind])) {
      assert.deepEqual(setting, permissions[kind][name], name)
    }
  }
})

test('return stored settings, anonymous groups as they are', () => {
  const unnamed: GroupSettingValue = { direct_members: [9], direct_subgroups: [3] }
  const stored: Partial<OrganizationSettings> = {
    can_resolve_topics_group: unnamed,
    message_content_edit_limit_seconds: null,
    jitsi_server_url: 'https://jitsi.example.com',
  }
  const state = realmState(exampleOrganization(stored), site, uploads)
  assert.deepEqual(state.realm_can_resolve_topics_group, unnamed)
  assert.equal(state.realm_message_content_edit_limit_seconds, null)
  assert.equal(state.realm_jitsi_server_url, 'https://jitsi.example.com')
  assert.equal(state.jitsi_server_url, 'https://jitsi.example.com')
  assert.ok(validator()(state))
})

test('put all addresses below the public one', () => {
  const state = realmState(exampleOrganization(), { ...site, publicUrl: 'http://localhost:9991' }, uploads)
  for (const [name, value] of Object.entries(state)) {
    if (typeof value !== 'string' || !value.startsWith('http')) continue
    assert.ok(value === 'http://localhost:9991' || value.startsWith('http://localhost:9991/'), name)
  }
  assert.equal(state.realm_bot_domain, 'localhost')
})

test('derive deprecated fields from current settings', () => {
  const before = realmState(exampleOrganization(), site, uploads)
  assert.equal(before.realm_mandatory_topics, false)
  assert.equal(before.realm_allow_edit_history, true)
  const changed = { topics_policy: 'disable_empty_topic', message_edit_history_visibility_policy: 'none' } as const
  const after = realmState(exampleOrganization(changed), site, uploads)
  assert.equal(after.realm_mandatory_topics, true)
  assert.equal(after.realm_allow_edit_history, false)
  const moves = { message_edit_history_visibility_policy: 'moves' } as const
  assert.equal(realmState(exampleOrganization(moves), site, uploads).realm_allow_edit_history, true)
})

test('round old policy codes up, never down', () => {
  const unnamed = { direct_members: [9], direct_subgroups: [] }
  const wildcardPolicy = (value: GroupSettingValue) =>
    realmState(exampleOrganization({ can_mention_many_users_group: value }), site, uploads)
      .realm_wildcard_mention_policy
  const names = ['nobody', 'owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone'] as const
  const groups = names.map((name) => SYSTEM_GROUP_ID[`role:${name}`])
  assert.deepEqual(groups.map(wildcardPolicy), [6, 5, 5, 7, 3, 2, 1])
  assert.deepEqual([unnamed, 40].map(wildcardPolicy), [1, 1])

  const createPolicies = (value: GroupSettingValue) => {
    const settings = { can_create_public_channel_group: value, can_create_private_channel_group: value }
    const state = realmState(exampleOrganization(settings), site, uploads)
    assert.equal(state.realm_create_public_stream_policy, state.realm_create_private_stream_policy)
    return state.realm_create_public_stream_policy
  }
  assert.deepEqual(groups.slice(0, 6).map(createPolicies), [2, 2, 2, 4, 3, 1])
  assert.equal(createPolicies(unnamed), 1)

  const webPublicPolicy = (value: GroupSettingValue) =>
    realmState(exampleOrganization({ can_create_web_public_channel_group: value }), site, uploads)
      .realm_create_web_public_stream_policy
  assert.deepEqual(groups.slice(0, 4).map(webPublicPolicy), [6, 7, 2, 4])
})
