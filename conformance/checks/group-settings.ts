import { type Account, operationNamed, SetUpError, type Values } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { groupSettingsIn, isGroupSetting } from '../kernel/group-settings.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, isSetOf, type Json } from '../wire/values.ts'

const surest = 'can_remove_subscribers_group'

export const checks: readonly Check[] = [
  {
    area: 'Group-setting value, topic entry, attachment',
    profile: 'core',
    id: 'group-settings/everywhere',
    title: 'who may do what has the same form everywhere',
    requirements: ['GSV-1', 'GSV-2', 'GSV-3'],
    operations: ['subscribe', 'get-subscriptions', 'get-streams', 'register-queue', 'get-events', 'delete-queue'],
    async run(t) {
      const reader = await t.user()
      // Some settings need an administrator.
      const admin = t.deployment.atLeast('administrator')
      const creator = admin === undefined || admin === reader ? await t.user() : admin
      const values = { event_types: ['stream', 'subscription'], fetch_event_types: [] }
      const queue = await EventQueue.open(reader, values)
      const wanted = { direct_members: [creator.userId, reader.userId], direct_subgroups: [] }
      const { channel, settings } = await namedChannel(t, creator, reader, wanted)
      const told = await queue.until((event) => event.op === 'add' && descriptionsOf(event, channel).length > 0)
      const state = await EventQueue.open(reader, {
        ...{ event_types: ['stream'], fetch_event_types: ['realm', 'realm_user_groups', 'subscription'] },
        client_capabilities: { notification_settings_null: true },
      })
      const listed = await reader.must('get-streams')
      const own = await reader.must('get-subscriptions')
      for (const [exchange, part] of [
        [told.exchange, told.events],
        [state.registered, state.registered.body],
        [listed, listed.body.streams],
        [own, own.body.subscriptions],
      ] as const) {
        const strange = groupSettingsIn(part).filter(({ value }) => !isGroupSetting(value))
        const says = `group-setting values; but there is ${strange.map(({ place }) => place)}`
        t.that('GSV-1', exchange, strange.length === 0, says)
        for (const description of descriptionsOf(part, channel)) holdsNames(t, exchange, description, settings, wanted)
      }
    },
  },
]

/** A channel in which all settings of the server's level name people, or, if that is refused, only one. */
async function namedChannel(t: CheckContext, creator: Account, reader: Account, wanted: Values) {
  if (t.level < 320) return { channel: await t.channel(creator, [reader]), settings: [] }
  const { parameters } = operationNamed(t.deployment.contract, 'subscribe')
  const known = parameters.filter(({ name }) => /^can_\w+_group$/.test(name))
  const names = known.map(({ name }) => name)
  const wishes = (settings: readonly string[]): Values => Object.fromEntries(settings.map((name) => [name, wanted]))
  try {
    return { channel: await t.channel(creator, [reader], false, wishes(names)), settings: names }
  } catch (err) {
    if (!(err instanceof SetUpError)) throw err
    t.remarks.add(`GSV-1: of a channel’s settings ${surest} alone names people: ${err.exchange.body?.msg}`)
    return { channel: await t.channel(creator, [reader], false, wishes([surest])), settings: [surest] }
  }
}

/** What a part of an answer says about the channel, at any depth. */
function descriptionsOf(part: Json, channel: Channel): Json[] {
  if (typeof part !== 'object' || part === null) return []
  const isMeant = isObject(part) && part.stream_id === channel.id && surest in part
  return isMeant ? [part] : Object.values<Json>(part).flatMap((one) => descriptionsOf(one, channel))
}

function holdsNames(
  t: CheckContext,
  exchange: Exchange,
  description: Json,
  settings: readonly string[],
  wanted: Values,
): void {
  for (const name of settings) {
    const value = description[name]
    const says = `\`${name}\` of channel ${description.stream_id} is ${JSON.stringify(wanted)}`
    t.that('GSV-1', exchange, isObject(value), says, 'object form')
    t.that('GSV-2', exchange, isSetOf(value?.direct_members, wanted.direct_members as number[]), says)
    t.that('GSV-3', exchange, isSetOf(value?.direct_subgroups, wanted.direct_subgroups as number[]), says)
  }
}
