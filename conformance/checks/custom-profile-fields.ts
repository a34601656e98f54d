import { addedField, oneChoice, twoChoices } from '../acts/custom-profile-fields.ts'
import type { Account } from '../deployment/account.ts'
import { lackOf } from '../deployment/event-queue.ts'
import { fieldTypes } from '../deployment/profile-fields.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effect } from '../kernel/effect.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { by, refuses, refusesWith, succeeds } from './outcomes.ts'

/** An id that exists on no server. */
const nowhere = 999_999_999

async function profileOf(viewer: Account, person: Account): Promise<{ exchange: Exchange; profile: Json }> {
  const values = { user_id_or_email: person.userId, include_custom_profile_fields: true }
  const exchange = await viewer.must('get-user', values)
  return { exchange, profile: exchange.body.user?.profile_data ?? {} }
}

export const checks: readonly WrittenCheck[] = [
  {
    id: 'profiles/values',
    title: 'a profile field accepts values of its type, and everybody sees them',
    requirements: [
      ...ids('CPF', [1, 2, 3, 4, 5, 6, 7]),
      ...ids('PROFILE', [1, 2, 3, 4, 5, 6]),
      ...ids('EV-REALMUSER', [16, 17, 18]),
      'USER-UPD-8',
    ],
    async run(t) {
      const { shortText, longText, choice, date, link, people, pronouns } = fieldTypes
      const admin = t.person('administrator')
      const field = {
        // A required field can be emptied, too.
        text: await addedField(t, shortText, admin.known('create-custom-profile-field', { required: true })),
        long: await addedField(t, longText),
        choice: await addedField(t, choice, { field_data: twoChoices }),
        date: await addedField(t, date),
        link: await addedField(t, link),
        people: await addedField(t, people),
        pronouns: await addedField(t, pronouns),
        theirs: await addedField(t, shortText, { editable_by_user: false }),
      }
      await sayings(t, field)
      for (const field_id of Object.values(field)) await admin.call('remove-custom-profile-field', { field_id })
    },
  },
  effect(
    [
      ...(['get-custom-profile-fields', 'create-custom-profile-field', 'update-custom-profile-field'] as const),
      ...['remove-custom-profile-field', 'reorder-custom-profile-fields', 'update-own-profile-data'],
      'remove-own-profile-data',
    ],
    'custom profile fields are added, changed, ordered and removed, and so are their values',
    async (t, shows, { user, other }) => {
      const administrator = t.person('administrator')
      const queue = await listen(other, ['custom_profile_fields', 'realm_user'])
      const told = async (isMeant: (list: readonly Json[]) => boolean, says: string) => {
        const isEvent = (event: Json): boolean =>
          event.type === 'custom_profile_fields' && isMeant(listOf(event.fields))
        await eventOf(shows, queue, isEvent, `with ${says}`)
        const listed = await other.must('get-custom-profile-fields')
        shows(listed, isMeant(listOf(listed.body.custom_fields)), `\`custom_fields\` with ${says}`)
      }
      const anyOf = (isOn: boolean) =>
        administrator.known('create-custom-profile-field', {
          name: t.unique('Field'),
          hint: t.unique('hint'),
          required: isOn,
          editable_by_user: !isOn,
          use_for_user_matching: isOn,
        })
      const given = anyOf(true)
      const text = await addedField(t, fieldTypes.shortText, given)
      const has = (id: number, values: object) => (list: readonly Json[]) =>
        list.some((one) => lackOf(one, { id, ...values }) === undefined)
      await told(has(text, { type: fieldTypes.shortText, ...given }), `field ${text}: ${JSON.stringify(given)}`)
      const refused = async (values: object, why: string) => {
        refuses(shows, await administrator.call('create-custom-profile-field', { hint: '', ...values }), why)
      }
      const name = t.unique('Field')
      await refused({ field_type: fieldTypes.longText, name: given.name }, 'there is a field of this name')
      await refused({ field_type: fieldTypes.shortText, name: ' ' }, 'the name is blank')
      await refused({ field_type: 99, name }, 'there is no such type')
      await refused({ field_type: fieldTypes.choice, name, field_data: {} }, 'there is nothing to choose from')
      const changed = anyOf(false)
      await administrator.must('update-custom-profile-field', { field_id: text, ...changed })
      await told(has(text, changed), `field ${text}: ${JSON.stringify(changed)}`)

      const choice = await addedField(t, fieldTypes.choice, { field_data: twoChoices })
      const hasChoices = (keys: string) => (list: readonly Json[]) =>
        Object.keys(dataOf(list.find(({ id }) => id === choice))).join() === keys
      await told(hasChoices('0,1'), `field ${choice} with two choices in \`field_data\``)
      succeeds(shows, await inOrder(administrator, choice), 'each field is named once')
      const isBefore = (list: readonly Json[]): boolean => {
        const order = list.map(({ id }) => id)
        return order.includes(text) && order.indexOf(choice) < order.indexOf(text)
      }
      await told(isBefore, `field ${choice} before ${text}`)
      const short = await administrator.call('reorder-custom-profile-fields', { order: [choice] })
      refuses(shows, short, 'others are missing')

      const data = [
        { id: text, value: '*Lisbon*' },
        { id: choice, value: '1' },
      ]
      // Repeating a value does not stop the rest of the list.
      for (const said of [data.slice(0, 1), data]) await user.must('update-own-profile-data', { data: said })
      const says = (id: number, value: string | null) => eventOf(shows, queue, sayingOf(user, id, value))
      const holds = async (id: number, value: string | undefined) => {
        const { exchange, profile } = await profileOf(other, user)
        shows(exchange, profile[id]?.value === value, `${JSON.stringify(value) ?? 'nothing'} of field ${id}`)
      }
      for (const { id, value } of data) {
        await says(id, value)
        await holds(id, value)
      }
      await user.must('remove-own-profile-data', { data: [text] })
      await says(text, null)
      await holds(text, undefined)
      await administrator.must('update-custom-profile-field', { field_id: choice, field_data: oneChoice })
      await told(hasChoices('0'), `field ${choice} with one choice in \`field_data\``)
      await holds(choice, undefined)
      for (const field_id of [text, choice]) {
        await administrator.must('remove-custom-profile-field', { field_id })
        await told((list) => !list.some(({ id }) => id === field_id), `no field ${field_id}`)
        refuses(shows, await administrator.call('remove-custom-profile-field', { field_id }), 'there is none')
      }
    },
  ),
]

function sayingOf({ userId: user_id }: Account, id: number, value: string | null) {
  return { type: 'realm_user', op: 'update', person: { user_id, custom_profile_field: { id, value } } }
}

function dataOf(field: Json): object {
  try {
    return JSON.parse(field?.field_data || '{}')
  } catch {
    return {}
  }
}

/** Moves a field to the front. If somebody adds a field meanwhile, the list lacks it. */
async function inOrder(administrator: Account, first: number): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const { body } = await administrator.must('get-custom-profile-fields')
    const others = listOf(body.custom_fields).map(({ id }) => id)
    const order = [first, ...others.filter((id) => id !== first)]
    const exchange = await administrator.call('reorder-custom-profile-fields', { order })
    if (exchange.status === 200 || tries === 5) return exchange
  }
}

type Fields = Readonly<Record<'text' | 'long' | 'choice' | 'date' | 'link' | 'people' | 'pronouns' | 'theirs', number>>

async function sayings(t: CheckContext, field: Fields): Promise<void> {
  const administrator = t.person('administrator')
  const { user, other } = await t.scene()
  const queue = await listen(other, ['realm_user'])
  const say = (...data: object[]): Promise<Exchange> => user.call('update-own-profile-data', { data })
  const isBad = (id: string, exchange: Exchange, why: string) => refusesWith(by(t, id), 'BAD_REQUEST', exchange, why)
  const isNothing = (value: Json): boolean => value === undefined || value?.value === null

  refuses(by(t, 'PROFILE-1'), await user.call('update-own-profile-data', {}), 'there is no `data`')
  refuses(by(t, 'CPF-1'), await say({ value: 'Lisbon' }), 'there is no `id`')
  refuses(by(t, 'CPF-2'), await say({ id: field.text }), 'there is no `value`')

  const said = await say({ id: field.text, value: '*Lisbon*' })
  succeeds(by(t, 'CPF-3'), said, 'a text suits a field of text')
  t.bareSuccess('PROFILE-3', said)
  const own = await profileOf(user, user)
  t.that('PROFILE-2', own.exchange, own.profile[field.text]?.value === '*Lisbon*', `"*Lisbon*" of field ${field.text}`)
  await say({ id: field.long, value: 'In *Lisbon*' })
  await say({ id: field.link, value: 'https://example.com/about' })
  const isTold = async (id: number, value: string | null, isMarkdown = true): Promise<void> => {
    const { event, exchange, lacked } = await queue.until(
      ({ person }: Json) =>
        person?.user_id === user.userId &&
        Number(person?.custom_profile_field?.id) === id &&
        person?.custom_profile_field?.value === value,
    )
    const change: Json = event?.person?.custom_profile_field
    t.that('EV-REALMUSER-16', exchange, change?.id === id, `an event with \`id\` ${id}; but ${lacked}`)
    t.that('EV-REALMUSER-17', exchange, change?.value === value, `\`value\` "${value}"`)
    const html = change?.rendered_value
    const isHtml = isMarkdown ? /<em>(?:Lisbon|Porto)<\/em>/.test(String(html)) : html === undefined
    t.that('EV-REALMUSER-18', exchange, isHtml, isMarkdown ? '`rendered_value` in HTML' : 'no `rendered_value`')
  }
  await isTold(field.text, '*Lisbon*')
  await isTold(field.long, 'In *Lisbon*')
  await isTold(field.link, 'https://example.com/about', false)

  refuses(by(t, 'CPF-4'), await say({ id: field.link, value: 'abc' }), '"abc" is not a link')
  succeeds(by(t, 'CPF-5'), await say({ id: field.people, value: [other.userId] }), 'a field of people takes IDs')
  for (const [id, value, why] of [
    [field.text, 'x'.repeat(51), 'a short text has 50 characters'],
    [field.long, 'x'.repeat(501), 'a long text has 500 characters'],
    [field.choice, 'nowhere', 'it is none of the choices'],
    [field.date, '2021-02-29', 'there is no such day'],
    [field.date, 'tomorrow', 'it is not a date'],
    [field.link, 'abc', 'it is not a link'],
    [field.people, [nowhere], 'there is no such user'],
    [field.pronouns, 'x'.repeat(51), 'pronouns have 50 characters'],
  ] as const) {
    isBad('CPF-7', await say({ id, value }), why)
  }
  for (const [id, value] of [
    [field.text, 'x'.repeat(50)],
    [field.long, 'x'.repeat(500)],
    [field.choice, '1'],
    [field.date, '2020-02-29'],
    [field.pronouns, 'x'.repeat(50)],
  ] as const) {
    succeeds(by(t, 'CPF-7'), await say({ id, value }), 'the value fits its field')
  }
  const unknown = await say({ id: nowhere, value: 'Lisbon' })
  isBad('PROFILE-5', unknown, 'there is no such field')
  isBad('PROFILE-5', await say({ id: nowhere, value: null }), 'there is no such field to empty')
  t.refusedWith('PROFILE-6', unknown, `Field id ${nowhere} not found.`)
  // Administrators may fill in every field.
  if (['administrator', 'owner'].includes(user.role))
    t.remarks.add('PROFILE-4: needs somebody who is not an administrator')
  else {
    const theirs = await say({ id: field.theirs, value: 'Lisbon' })
    isBad('PROFILE-4', theirs, 'only administrators may fill it in')
    isBad('PROFILE-4', await say({ id: field.theirs, value: null }), 'only administrators may empty it')
    const both = await say({ id: field.text, value: 'Faro' }, { id: field.theirs, value: 'Faro' })
    isBad('PROFILE-4', both, 'only administrators may fill in one of the two fields')
    const no = 'You are not allowed to change this field. Contact an administrator to update it.'
    if (t.level >= 296) t.refusedWith('PROFILE-6', theirs, no)
  }

  const change = (id: number, value: unknown, user_id_or_email: number | string = user.userId) =>
    administrator.call('update-user', { user_id_or_email, profile_data: [{ id, value }] })
  const { email } = (await administrator.must('get-user', { user_id_or_email: user.userId })).body.user
  const named = t.level >= 313 ? email : user.userId
  for (const [id, value] of [
    [field.text, '*Porto*'],
    [field.people, [user.userId]],
    [field.theirs, 'Porto'],
  ] as const) {
    succeeds(by(t, 'USER-UPD-8'), await change(id, value, named), 'an administrator may fill in every field of others')
    const { exchange, profile } = await profileOf(other, user)
    const isSaid = String(profile[id]?.value).replaceAll(/[[\]]/g, '') === String(value)
    t.that('USER-UPD-8', exchange, isSaid, `"${value}" of field ${id}`)
  }
  await isTold(field.text, '*Porto*')
  succeeds(by(t, 'CPF-6'), await change(field.text, null), 'null removes the value')
  const gone = await profileOf(other, user)
  t.that('CPF-6', gone.exchange, isNothing(gone.profile[field.text]), `no value of field ${field.text}`)
  await eventOf(by(t, 'EV-REALMUSER-17'), queue, sayingOf(user, field.text, null))

  const both = [field.date, field.people]
  const takenBack = await say(...both.map((id) => ({ id, value: null })))
  // Deployed servers have DELETE /users/me/profile_data for this.
  if (!t.isParley && isRefused(takenBack)) {
    t.remarks.add(
      'CPF-6: checked only in PATCH /users/{user_id}, because PATCH /users/me/profile_data refuses null here',
    )
    return
  }
  const { exchange: seen, profile } = await profileOf(user, user)
  for (const id of both) t.that('CPF-6', seen, isNothing(profile[id]), `no value of field ${id}`)
}
