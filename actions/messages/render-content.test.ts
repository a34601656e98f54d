import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Readers } from '../../db/repositories.ts'
import type { Actor } from '../../permissions/actor.ts'
import { renderingHere } from '../../rendering/rendering.ts'
import { renderContent } from './render-content.ts'

const context = { rendering: renderingHere }
const writer = { id: 1, role: 400 } as Actor

/** Readers of an organization in which everybody and everything exists. */
function readersOf(users: readonly object[]): Readers {
  const nothing = { byNames: async () => [] }
  const organization = { seesEverybody: () => true, settings: { default_code_block_language: '' } }
  return {
    organization,
    users: { mentionable: async () => users },
    userGroups: nothing,
    customEmoji: nothing,
  } as unknown as Readers
}

test('many mentions do not compare each name with every user (SEC-RENDER-7)', async () => {
  let looks = 0
  const users = Array.from({ length: 900 }, (_, index) => ({
    id: index + 1,
    isActive: true,
    get fullName() {
      looks += 1
      return `u${index}`
    },
  }))
  const content = users.map((_, index) => `@**u${index}**`).join(' ')
  const { mentionedUserIds } = await renderContent(readersOf(users), writer, content, context)
  assert.equal(mentionedUserIds.size, 900)
  assert.ok(looks <= 4 * users.length, `${looks} looks at ${users.length} names`)
})

test('the first of several users with one name is mentioned, or the one with the given ID', async () => {
  const users = [2, 3].map((id) => ({ id, isActive: true, fullName: 'Iago' }))
  const mentioned = async (content: string) => [
    ...(await renderContent(readersOf(users), writer, content, context)).mentionedUserIds,
  ]
  assert.deepEqual(await mentioned('@**iago**'), [2])
  assert.deepEqual(await mentioned('@**Iago|3** @**|3**'), [3])
  assert.deepEqual(await mentioned('@**Other|3** @**Iago|4**'), [])
})
