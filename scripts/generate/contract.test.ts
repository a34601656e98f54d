import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Operation, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { exampleProblems } from './examples.ts'
import { lintProblems } from './lint.ts'
import { registry } from './registry.ts'
import { dereferenced, readSource, type Source } from './source.ts'
import { wireDocument } from './wire.ts'
import { wire30Document } from './wire30.ts'

const CONTRACT = join(import.meta.dirname, '../../openapi')
const source = await readSource(CONTRACT)

let scratch = ''
before(() => {
  scratch = mkdtempSync(join(tmpdir(), 'parley-contract-'))
})
after(() => rmSync(scratch, { recursive: true }))

/** The contract with one change. */
function changed(change: (source: Source) => void): Source {
  const copy = structuredClone(source)
  change(copy)
  return copy
}

/** The lint's findings in the contract with one change. */
function lintsOf(change: (source: Source) => void): string[] {
  return lintProblems(changed(change))
}

function operation({ document }: Source, id: string): Operation {
  const found = operationsOf(document).find((one) => one.operation.operationId === id)
  assert.ok(found, `no operation ${id}`)
  return found.operation
}

function answer(one: Operation): { schema: Schema; example?: unknown } {
  const media = one.responses['200']?.content?.['application/json']
  assert.ok(media)
  return media
}

test('report missing parts of an operation, and an unknown role', () => {
  const problems = lintsOf((copy) => {
    const one = operation(copy, 'get-users')
    one['x-minimum-role'] = 'admin'
    delete one['x-error-codes']
    delete answer(one).example
    delete operation(copy, 'get-emoji-picture').responses['200']?.content?.['image/gif']?.schema.format
  })
  assert.deepEqual(problems, [
    'get-users: has no x-error-codes',
    'get-users: x-minimum-role admin is none of anonymous, guest, member, moderator, administrator, owner',
    'get-users: its 200 answer has no example',
    'get-emoji-picture: its image/gif lacks format: binary',
  ])
})

test('report a parameter name used twice, and an alias of an unknown one', () => {
  const problems = lintsOf((copy) => {
    const topic = { name: 'topic', in: 'query' as const, description: 'Again.', example: 'x' }
    operation(copy, 'send-message').parameters = [{ ...topic, schema: { type: 'string' } }]
    delete formOf(operation(copy, 'update-message'))?.properties?.topic
  })
  assert.deepEqual(problems, [
    'send-message: two parameters are named topic',
    'update-message: subject is an alias of topic, which does not exist',
  ])
})

test('report a refused parameter that is required, an alias that is not refused, and a third way', () => {
  const problems = lintsOf((copy) => {
    const { subject, stream_id } = formOf(operation(copy, 'update-message'))?.properties ?? {}
    Object.assign(subject ?? {}, { 'x-refused': true })
    Object.assign(stream_id ?? {}, { 'x-refused': 'sometimes' })
    Object.assign(formOf(operation(copy, 'update-bot')) ?? {}, { required: ['default_sending_stream'] })
    const comment = operation(copy, 'deactivate-user').parameters?.find(({ name }) => name.endsWith('_comment'))
    Object.assign(comment?.schema ?? {}, { default: 'Farewell' })
  })
  assert.deepEqual(problems, [
    'update-message: subject is refused or not like topic, whose alias it is',
    'update-message: stream_id: x-refused is true or by-handler',
    'deactivate-user: deactivation_notification_comment is refused always, and yet required or sent by default',
    'update-bot: default_sending_stream is refused always, and yet required or sent by default',
  ])
})

test('generated clients lack refused parameters; readers of the contract are told of them', () => {
  const wire = wireDocument(source)
  const offered = [wire, wire30Document(wire)].map((document) =>
    operation({ ...source, document }, 'deactivate-user').parameters?.map(({ name }) => name),
  )
  const seen = ['user_id_or_email', 'actions']
  assert.deepEqual(offered, [[...seen, 'deactivation_notification_comment'], seen])
})

test('operations with a query in a form list the refusals of a body', () => {
  const { responses } = operation({ ...source, document: wireDocument(source) }, 'remove-bot-storage')
  assert.deepEqual(
    ['408', '413', '415'].filter((status) => responses[status] === undefined),
    [],
  )
})

test('report an unknown error code, and one that is never answered', () => {
  const problems = lintsOf((copy) => {
    operation(copy, 'create-user')['x-error-codes']?.push('EMAIL_TAKEN')
    Object.assign(copy.errors, { NEVER_ANSWERED: copy.errors.UNAUTHORIZED_PRINCIPAL })
  })
  assert.deepEqual(problems, ['errors.yaml lacks EMAIL_TAKEN', 'errors.yaml: no operation answers NEVER_ANSWERED'])
})

test('report a field without description and a level beyond the newest', () => {
  const problems = lintsOf(({ document }) => {
    const fields = document.components.schemas.Reaction?.properties ?? {}
    fields.emoji_name = { type: 'string', 'x-feature-level': { from: 483 } }
  })
  assert.equal(problems.length, 2)
  assert.match(
    problems[0] ?? '',
    /Reaction: \{"from":483\} is no feature level up to 482|emoji_name has no description/,
  )
})

test('report an example that breaks its schema, has an unknown field, or contains invalid JSON', async () => {
  const wire = wireDocument(
    changed((copy) => {
      const parameters = operation(copy, 'get-messages').parameters ?? []
      const setExample = (name: string, example: unknown) =>
        Object.assign(parameters.find((one) => one.name === name) ?? {}, { example })
      setExample('narrow', '[{"operator":')
      setExample('message_ids', '{"id":43}')
      setExample('num_before', -1)
      Object.assign(answer(operation(copy, 'send-message')).example as object, { id: '43' })
      Object.assign(answer(operation(copy, 'create-user')).example as object, { user_ids: [25] })
    }),
  )
  const problems = exampleProblems(await dereferenced(wire))
  const expected = [
    /^send-message 200: example\/id must be integer$/,
    /^get-messages num_before: example must be >= 0$/,
    /^get-messages narrow: .*JSON/,
    /^get-messages message_ids \(content\): example must be array$/,
    /^create-user 200: example must NOT have additional properties$/,
  ]
  for (const pattern of expected)
    assert.ok(
      problems.some((problem) => pattern.test(problem)),
      `${pattern}: ${problems.join('\n')}`,
    )
  assert.equal(problems.length, expected.length)
})

test('refuse an operation without handler and a handler without operation', () => {
  const files = operationsOf(source.document).map((one) => `${one.operation.tags?.[0]}/${one.operation.operationId}`)
  assert.match(registry(source.document, files), /'get-openapi-3-0': getOpenapi30,/)
  assert.throws(
    () => registry(source.document, [...files.slice(1), 'messages/send-mesage']),
    (err: Error) => {
      assert.match(err.message, new RegExp(`handlers/${files[0]}.ts is missing`))
      assert.match(err.message, /handlers\/messages\/send-mesage.ts: the contract has no such operation/)
      return true
    },
  )
})

test('report a broken reference, a name used twice, an unused schema, an unquoted comma', async () => {
  const cases: [string, string, RegExp][] = [
    ['paths/users.yaml', 'users: { $ref: ../schemas/user.yaml#/Usr }', /paths\/users\.yaml: .*#\/Usr leads nowhere/],
    [
      'schemas/own-user.yaml',
      'OwnUser: { $ref: "#/User" }\nApiKey: { type: string }\nUser: { type: object }',
      /the name User is used in schemas/,
    ],
    ['schemas/more.yaml', 'Spare: { type: object }', /schemas\/more\.yaml: Spare is used by nobody/],
    [
      'schemas/more.yaml',
      'Spare: { type: object, description: small, and round }',
      /quote the text before the comma: and round/,
    ],
  ]
  for (const [index, [file, content, expected]] of cases.entries()) {
    const copy = join(scratch, `contract-${index}`)
    await cp(CONTRACT, copy, { recursive: true })
    writeFileSync(join(copy, file), content)
    await assert.rejects(readSource(copy), expected)
  }
})

test('report permission rules that cannot be followed', () => {
  const rules = [
    { by: ['own', 'chief', 'can_fly_group'], otherwise: 'NOT_LISTED' },
    { act: 'Fly', least: 'chief' },
    { by: ['channel.can_send_message_group + guest'] },
    { act: 'Sing' },
    { act: 'Swim', when: { is_deep: true }, by: [] },
  ]
  const problems = lintsOf((copy) => Object.assign(operation(copy, 'get-users'), { 'x-permissions': rules }))
  assert.deepEqual(
    problems.map((one) => one.replace('get-users: x-permissions: ', '')),
    [
      'there is no chief',
      'there is no can_fly_group',
      'x-error-codes lacks NOT_LISTED',
      'least is no role: chief',
      'only the first is about the operation itself, and names no act',
      'says nothing about who may',
      'the organization has no setting is_deep',
    ],
  )
})
