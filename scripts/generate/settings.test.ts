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
  motto: {
    type: 'string',
    description: 'A motto.',
    'x-setting': { default: '', changed_by: 'administrator', event: 'update_dict' },
  },
  smell: {
    type: ['string', 'null'],
    description: 'Not yet.',
    examples: ['sweet'],
    'x-setting': { default: null, changed_by: 'administrator', obeyed: false },
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
  assert.deepEqual(Object.keys(fields), ['realm_loud', 'realm_motto', 'realm_smell', 'realm_limit', 'realm_may_shout'])
  assert.deepEqual(fields.realm_loud, { type: 'boolean', description: 'Loud.', examples: [true] })
  assert.deepEqual(Object.keys(propertiesOf(settings, { ...use, as: 'changes' })), ['motto', 'may_shout'])
  const defaults = { loud: false, motto: '', smell: null, limit: null, may_shout: 2 }
  assert.deepEqual(defaultsOf(settings, { ...use, as: 'fields' }), defaults)
})

test('answers have what can change, and of a text only that it did', () => {
  const answers = propertiesOf(settings, { ...use, as: 'answers' })
  assert.deepEqual(Object.keys(answers), ['loud', 'motto', 'may_shout'])
  assert.deepEqual(answers.motto, { type: 'string', const: 'updated', description: 'A motto.' })
})

test('parameters that are more than a plain value are JSON, groups have the schema of their parameters and its level', () => {
  const { motto: _, smell: __, ...form } = propertiesOf(settings, { ...use, as: 'form' })
  assert.deepEqual(form, {
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
  const { loud, motto, smell, may_shout: group, ...others } = propertiesOf(settings, { ...use, as: 'updates' })
  assert.deepEqual(others, {})
  assert.deepEqual([motto?.['x-refused'], smell?.['x-refused']], [undefined, 'by-handler'], 'what nothing depends on')
  assert.equal(loud?.type, 'boolean')
  assert.deepEqual(group?.contentSchema, { $ref: '../schemas/group-setting.yaml#/GroupSettingUpdate' })
  assert.equal(
    group?.description,
    'Who may shout. Only owners change it. Guests and people without an account cannot be included.',
  )
})

test('the tables of the program, and what has no default is named', () => {
  const text = settingsModule({ 'organization.settings': settings })
  assert.match(text, /ORGANIZATION_SETTINGS = \{"loud":false,"motto":"","smell":null,"limit":null\}/)
  const role = 'administrator'
  const changeable = JSON.stringify({ loud: role, motto: role, smell: role, may_shout: 'owner' })
  assert.ok(text.includes(`CHANGEABLE_SETTINGS = ${changeable}`))
  assert.match(text, /IDLE_SETTINGS = \["smell"\]/)
  assert.match(text, /DICT_SETTINGS = \["motto","may_shout"\]/)
  assert.match(text, /"may_shout":\{"default":"role:owners","allowsNobody":true,"allowsEveryone":false\}/)
  const undecided = { 'organization.settings': { loud: { type: 'boolean' } } } as unknown as Parameters<
    typeof settingsModule
  >[0]
  assert.throws(() => settingsModule(undecided), /organization\.settings: loud has no default/)
})
