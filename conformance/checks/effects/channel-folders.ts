import { orderOfAll } from '../../acts/channel-folders.ts'
import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, heardOf, listen } from '../../kernel/listening.ts'
import { isNow } from '../../kernel/messaging.ts'
import { anybody } from '../../kernel/people-of-roles.ts'
import type { Exchange } from '../../wire/http.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    ['create-channel-folder', 'update-channel-folder', 'get-channel-folders'],
    'an administrator’s changes of channel folders are announced to everybody',
    async (t, shows, { user }) => {
      const admin = t.person('administrator')
      const queue = await listen(await anybody(t), ['channel_folder'])
      const wanted = { name: t.unique('conformance'), description: 'What we **make**' }
      const made = await admin.must('create-channel-folder', wanted)
      const id = made.body.channel_folder_id
      const rendered_description = '<p>What we <strong>make</strong></p>'
      const folder = { id, ...wanted, rendered_description, is_archived: false, creator_id: admin.userId }
      const added = await queue.until((one) => one.op === 'add' && one.channel_folder?.id === id)
      isAs(shows, added.exchange, added.event?.channel_folder, folder, added.lacked)
      const says = '`date_created` is the present second'
      shows(added.exchange, isNow(added.event?.channel_folder?.date_created, made), says)
      await isListed(shows, user, folder)
      const taken = await admin.call('create-channel-folder', { name: wanted.name.toUpperCase() })
      refuses(shows, taken, 'there is a folder of this name')
      for (const changes of [
        { name: t.unique('conformance') },
        { description: '' },
        { is_archived: true },
        { is_archived: false },
        { is_archived: true },
      ]) {
        await admin.must('update-channel-folder', { channel_folder_id: id, ...changes })
        await eventOf(shows, queue, { channel_folder_id: id, data: changes })
        Object.assign(folder, changes, 'description' in changes && { rendered_description: '' })
        await isListed(shows, user, folder)
      }
    },
  ),
  effect(
    'reorder-channel-folders',
    'the order of channel folders set by an administrator is announced to everybody',
    async (t, shows, { user }) => {
      const admin = t.person('administrator')
      const make = async (): Promise<number> =>
        (await admin.must('create-channel-folder', { name: t.unique('conformance') })).body.channel_folder_id
      const [first, second] = [await make(), await make()]
      const queue = await listen(await anybody(t), ['channel_folder'])
      const others = (await orderOfAll(t)).filter((id) => id !== first && id !== second)
      await admin.must('reorder-channel-folders', { order: [second, ...others, first] })
      const isRight = (ids: readonly number[]): boolean =>
        ids.includes(first) && ids.indexOf(second) < ids.indexOf(first)
      if (t.level >= 418) {
        const isTold = (one: Json) => one.op === 'reorder' && isRight(listOf(one.order))
        await heardOf(shows, queue, isTold, `an event with folder ${second} before ${first}`)
      }
      const listed = await user.must('get-channel-folders')
      const ids = listed.body.channel_folders.map(({ id }: Json) => id)
      shows(listed, isRight(ids), `folder ${second} before ${first}`)
      const places: number[] = listed.body.channel_folders.map(({ order }: Json) => order)
      const expected = '`order` ascends'
      const areRight = places.every((place, index) => index === 0 || place > Number(places[index - 1]))
      shows(listed, areRight, expected)
      const strange = await admin.call('reorder-channel-folders', { order: [first, first, second, ...others] })
      refuses(shows, strange, `folder ${first} is named twice`)
    },
  ),
  effectNamed(
    'effects/create-channel-folder/channels',
    'a new channel is in the requested folder, and a folder with channels cannot be archived',
    async (t, shows) => {
      const admin = t.person('administrator')
      const made = await admin.must('create-channel-folder', { name: t.unique('conformance') })
      const folder_id = made.body.channel_folder_id
      const followed = await t.channel(admin, [], false, { folder_id })
      const queue = await listen(admin, ['stream'])
      const values = { name: t.unique('conformance'), subscribers: [], folder_id }
      const { body } = await admin.must('create-channel', values)
      for (const stream_id of [followed.id, body.id]) {
        const shown = await admin.must('get-stream', { stream_id })
        shows(shown, shown.body.stream.folder_id === folder_id, `\`folder_id\` of channel ${stream_id} is ${folder_id}`)
      }
      for (const wanted of [null, folder_id]) {
        await admin.must('update-stream', { stream_id: followed.id, folder_id: wanted })
        const told = { type: 'stream', op: 'update', stream_id: followed.id, property: 'folder_id', value: wanted }
        await eventOf(shows, queue, told)
        const shown = await admin.must('get-stream', { stream_id: followed.id })
        shows(shown, shown.body.stream.folder_id === wanted, `\`folder_id\` of channel ${followed.id} is ${wanted}`)
      }
      const reader = await t.user()
      const own = await listen(reader, ['subscription'])
      await reader.must('subscribe', { subscriptions: [{ name: followed.name }] })
      const isThere = ({ op, subscriptions }: Json): boolean =>
        op === 'add' &&
        listOf(subscriptions).some((one) => one.stream_id === followed.id && one.folder_id === folder_id)
      await eventOf(shows, own, isThere, `channel ${followed.id} in folder ${folder_id}`)
      const archived = await admin.call('update-channel-folder', { channel_folder_id: folder_id, is_archived: true })
      refuses(shows, archived, `there are channels in folder ${folder_id}`)
      const unknown = await admin.call('create-channel', {
        ...values,
        name: t.unique('conformance'),
        folder_id: 2_147_483_646,
      })
      refuses(shows, unknown, 'there is no such folder')
      for (const stream_id of [followed.id, body.id]) await admin.must('update-stream', { stream_id, folder_id: null })
      await admin.must('update-channel-folder', { channel_folder_id: folder_id, is_archived: true })
    },
  ),
]

function isAs(shows: Shows, exchange: Exchange, folder: Json, wanted: Values, lacked = ''): void {
  const odd = Object.entries(wanted).filter(([name, value]) => folder?.[name] !== value)
  const says = `folder ${wanted.id} with ${odd.map(([name, value]) => `${name} ${JSON.stringify(value)}`)}`
  shows(exchange, odd.length === 0, lacked === '' ? says : `${says}; but ${lacked}`)
}

/** Checks that every list has the folder in the right form. */
async function isListed(shows: Shows, reader: Account, wanted: Values): Promise<void> {
  const find = (list: Json): Json => listOf(list).find(({ id }: Json) => id === wanted.id)
  const state = await reader.must('register-queue', {
    event_types: ['channel_folder'],
    fetch_event_types: ['channel_folders'],
  })
  isAs(shows, state, find(state.body.channel_folders), wanted)
  const all = await reader.must('get-channel-folders', { include_archived: true })
  isAs(shows, all, find(all.body.channel_folders), wanted)
  const inUse = await reader.must('get-channel-folders')
  const isThere = find(inUse.body.channel_folders) !== undefined
  shows(inUse, isThere !== wanted.is_archived, `folder ${wanted.id} only as long as it is in use`)
}
