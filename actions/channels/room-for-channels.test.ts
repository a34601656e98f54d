import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows, userRows } from '../../db/rows-testing.ts'
import type { UserId } from '../../domain/ids.ts'
import { CHANNEL_GROUP_SETTING_NAMES } from '../../domain/user-groups/group-settings.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { accessChannel } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { onBothDatabases, openDatabase } from '../../server/testing.ts'
import { changeChannel } from './change-channel.ts'
import { acceptWishes, createChannelFor } from './create-channel.ts'
import { wantedChannel } from './wanted-channel.ts'

const PEOPLE = Array.from({ length: 1000 }, (_, index) => index + 1) as UserId[]
const FULL = { direct_members: PEOPLE, direct_subgroups: [] }

onBothDatabases('room for channels', (dialect) => {
  test('their lists of users are limited, and can always be made shorter (SEC-SHARE-1, DIFF-LISTS)', async (t) => {
    const { db } = await openDatabase(t, dialect)
    await db.transaction((tx) => insertRows(tx, 'user', userRows(PEOPLE)))
    const users = await db.read.users.byIds(PEOPLE.slice(0, 2))
    const [member, owner] = [ROLE.member, ROLE.owner].map((role, index) => ({ ...users[index], role })) as unknown as [
      Actor,
      Actor,
    ]
    const all = Object.fromEntries(
      CHANNEL_GROUP_SETTING_NAMES.flatMap((name) => (name.startsWith('can_delete') ? [] : [[name, FULL]])),
    )
    let named = 0
    const make = (actor: Actor, wishes: object, renderedDescription = ''): Promise<number> =>
      db.transaction(async (tx) => {
        const text = { name: `${++named}`, description: '', renderedDescription }
        const channel = await createChannelFor(tx, actor, text, await acceptWishes(tx, actor, wishes, [text]))
        return channel?.id ?? 0
      })
    const change = (actor: Actor, id: number, value: typeof FULL) =>
      db.transaction(async (tx) => {
        const found = await accessChannel(tx, actor, id)
        const changes = { text: {}, can_send_message_group: { new: value } }
        await changeChannel(tx, found.channel, await wantedChannel(tx, actor, found, changes))
      })
    const refused = { message: 'Descriptions and settings of channels are already as long as they may be together.' }

    const small = await make(member, {})
    const ids: number[] = []
    await assert.rejects(async () => {
      while (ids.length < 100) ids.push(await make(member, all))
    }, refused)
    assert.ok(ids.length > 10 && ids.length < 50, `a member made ${ids.length} channels with full settings`)
    await assert.rejects(async () => {
      for (let more = 0; more < 20; more += 1) await change(member, await make(member, {}), FULL)
    }, refused)
    await assert.rejects(async () => {
      for (let more = 0; more < 20; more += 1) await make(member, {}, '漢'.repeat(11_000))
    }, refused)
    await make(member, {}, 'x'.repeat(900))
    await assert.rejects(make(member, {}, '漢'.repeat(900)), refused)
    await change(member, small, { ...FULL, direct_members: PEOPLE.slice(0, 50) })
    await make(owner, all)
    await change(member, ids[0] ?? 0, { ...FULL, direct_members: PEOPLE.slice(1) })
  })
})
