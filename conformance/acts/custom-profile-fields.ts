import fc from 'fast-check'
import type { Deployment } from '../deployment/deployment.ts'
import { fieldTypes } from '../deployment/profile-fields.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind, some } from '../laws/action-kind.ts'
import { oneOf, type World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

const choicesOf = (...texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, index) => [String(index), { text, order: String(index + 1) }]))
/** The choices of a field before and after one is removed. */
export const [twoChoices, oneChoice] = [choicesOf('Lisbon', 'Porto'), choicesOf('Lisbon')]

/** Adds a field that no other check uses. The caller removes it, because servers may have room for only a few. */
export async function addedField(t: CheckContext, field_type: number, more: object = {}): Promise<number> {
  const values = { field_type, name: t.unique('Field'), hint: '', ...more }
  return (await t.person('administrator').must('create-custom-profile-field', values)).body.id
}

const shared = new WeakMap<Deployment, Promise<number>>()

/** A field for one line of text, shared by the whole run. */
function sharedField(t: CheckContext): Promise<number> {
  const field = shared.get(t.deployment) ?? addedField(t, fieldTypes.shortText)
  shared.set(t.deployment, field)
  return field
}

export const requests: Requests = {
  'create-custom-profile-field': (_, t) => ({ field_type: fieldTypes.shortText, name: t.unique('Field'), hint: '' }),
  'update-custom-profile-field': async (_, t) => ({ field_id: await sharedField(t), name: t.unique('Field') }),
  'remove-custom-profile-field': async (_, t) => ({ field_id: await addedField(t, fieldTypes.shortText) }),
  'reorder-custom-profile-fields': async (_, t) => {
    const { body } = await t.person('administrator').must('get-custom-profile-fields')
    const ids = body.custom_fields.map(({ id }: { id: number }) => id)
    return { order: ids.reverse() }
  },
  'update-own-profile-data': async (_, t) => ({ data: [{ id: await sharedField(t), value: 'Lisbon' }] }),
  'remove-own-profile-data': async (_, t) => ({ data: [await sharedField(t)] }),
}

async function add(world: World, by: number | undefined, isChoice: boolean) {
  const values = {
    field_type: isChoice ? fieldTypes.choice : fieldTypes.longText,
    name: world.unique('Field'),
    ...(isChoice && { field_data: twoChoices }),
  }
  const added = await world.manager(by)?.call('create-custom-profile-field', values)
  const field_id = added?.body?.id
  const remove = () => world.manager()?.call('remove-custom-profile-field', { field_id })
  return world.keep('profile field', added, field_id, remove)
}

function one(world: World, number: number, isChoice: boolean): Promise<number | undefined> {
  return oneOf<number>(world, 'profile field', number, () => add(world, undefined, isChoice))
}

/** `0` and `1` are choices too. */
const value = fc.constantFrom('0', '1', '**soon**', ' ', null)

export const actions = [
  ourKind(
    'add profile field',
    ({ manager }) => ({ by: manager, isChoice: fc.boolean() }),
    (world, { by, isChoice }) => add(world, by, isChoice),
  ),
  ourKind(
    'change profile field',
    ({ manager }) => ({ by: manager, field: some, isRemoval: fc.boolean(), isChoice: fc.boolean() }),
    async (world, { by, field, isRemoval, isChoice }) => {
      const field_id = await one(world, field, isChoice)
      if (field_id === undefined) return undefined
      const values = { field_id, name: world.unique('Field'), field_data: oneChoice }
      return world.manager(by)?.call(isRemoval ? 'remove-custom-profile-field' : 'update-custom-profile-field', values)
    },
  ),
  ourKind(
    'reorder profile fields',
    ({ manager }) => ({ by: manager, isChoice: fc.boolean() }),
    async (world, { by, isChoice }) => {
      if (world.kept('profile field').length < 2) await add(world, by, isChoice)
      const listed = await world.manager()?.call('get-custom-profile-fields')
      const ids = (listed?.body.custom_fields ?? []).map(({ id }: { id: number }) => id)
      return world.manager(by)?.call('reorder-custom-profile-fields', { order: ids.reverse() })
    },
  ),
  ourKind(
    'say in profile',
    () => ({ field: some, value, isChoice: fc.boolean() }),
    async (world, { who, field, value, isChoice }) => {
      const id = await one(world, field, isChoice)
      return id === undefined ? undefined : world.person(who).call('update-own-profile-data', { data: [{ id, value }] })
    },
    { weight: 2 },
  ),
  ourKind(
    "say in somebody's profile",
    ({ manager, who }) => ({ by: manager, other: who, field: some, value }),
    async (world, { by, other, field, value }) => {
      const id = await one(world, field, true)
      const values = { user_id_or_email: world.person(other).userId, profile_data: [{ id, value }] }
      return id === undefined ? undefined : world.manager(by)?.call('update-user', values)
    },
  ),
  ourKind(
    'take out of profile',
    () => ({ field: some }),
    async (world, { who, field }) => {
      const id = await one(world, field, false)
      return id === undefined ? undefined : world.person(who).call('remove-own-profile-data', { data: [id] })
    },
  ),
]
