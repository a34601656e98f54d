import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultsOf, propertiesOf, type Settings, settingsModule } from './settings.ts'

const settings: Settings = {
  loud: {
    type: 'boolean',
    description: 'Loud.',
    examples: [true],
    'x-setting': { default: false, changed_by: 'administrator' },
  },
  limit: {
    type: ['integer', 'null'],
    description: 'A limit.',
    examples: [5, null],
    'x-feature-level': { from: 9 },
    'x-setting': { default: null },
  },
  may_shout: {
    $ref: '../schemas/group-setting.yaml#/GroupSettingValue',
    description: 'Who may shout.',
    'x-setting': { default: 'role:owners', changed_by: 'owner', parameter_from: 7 },
  },
}
const use = { of: 'settings/some.yaml#/settings' }

test('fields are as they are described, under their prefix; changes are those that can be', () => {
  const fields = propertiesOf(settings, { ...use, as: 'fields', prefix: 'realm_' })
  assert.deepEqual(Object.keys(fields), ['realm_loud', 'realm_limit', 'realm_may_shout'])
  assert.deepEqual(fields.realm_loud, { type: 'boolean', description: 'Loud.', examples: [true] })
  assert.deepEqual(Object.keys(propertiesOf(settings, { ...use, as: 'changes' })), ['loud', 'may_shout'])
  assert.deepEqual(defaultsOf(settings, { ...use, as: 'fields' }), { loud: false, limit: null, may_shout: 2 })
})

test('parameters that are more than a plain value are JSON, groups have the schema of their parameters and its level', () => {
  assert.deepEqual(propertiesOf(settings, { ...use, as: 'form' }), {
    loud: { type: 'boolean', description: 'Loud.', examples: [true] },
    limit: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: ['integer', 'null'] },
      description: 'A limit.',
      examples: ['5', 'null'],
      'x-feature-level': { from: 9 },
    },
    may_shout: {
      $ref: '../schemas/group-setting.yaml#/GroupSettingParameter',
      description: 'Who may shout.',
      'x-feature-level': { from: 7 },
    },
  })
})

test('updates say who may, and take a group with the one it is thought to replace', () => {
  const { loud, may_shout: group, ...others } = propertiesOf(settings, { ...use, as: 'updates' })
  assert.deepEqual(others, {})
  assert.equal(loud?.type, 'boolean')
  assert.deepEqual(group?.contentSchema, { $ref: '../schemas/group-setting.yaml#/GroupSettingUpdate' })
  assert.equal(
    group?.description,
    'Who may shout. Only owners change it. Guests and people without an account cannot be included.',
  )
})

test('the tables of the program, and what has no default is named', () => {
  const text = settingsModule({ 'organization.settings': settings })
  assert.match(text, /ORGANIZATION_SETTINGS = \{"loud":false,"limit":null\}/)
  assert.match(text, /CHANGEABLE_SETTINGS = \{"loud":"administrator","may_shout":"owner"\}/)
  assert.match(text, /"may_shout":\{"default":"role:owners","allowsNobody":true,"allowsEveryone":false\}/)
  const undecided = { 'organization.settings': { loud: { type: 'boolean' } } } as unknown as Parameters<
    typeof settingsModule
  >[0]
  assert.throws(() => settingsModule(undecided), /organization\.settings: loud has no default/)
})
