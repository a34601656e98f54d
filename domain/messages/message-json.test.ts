import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../ids.ts'
import { Linkifiers } from '../linkifiers/linkifiers.ts'
import { flagNames } from './flags.ts'
import { type Message, type MessageFormat, type Place, toWireMessage } from './message.ts'
import { messageJson } from './message-json.ts'

const format: MessageFormat = {
  applyMarkdown: true,
  clientGravatar: true,
  allowEmptyTopicName: true,
  realmStringId: '',
  wireValues: 'contract',
  editHistoryPolicy: 'all',
  linkifiers: new Linkifiers([]),
}

test('the JSON of messages equals that of the objects, with shared senders and places', () => {
  const [one, other] = [1, 2].map((id) => ({
    id: id as UserId,
    email: `${id}@parley.example`,
    standInEmail: null,
    fullName: `"${id}"}`,
    avatarKey: null,
    avatarVersion: id,
  }))
  assert(one && other)
  const channel = { kind: 'channel', channelId: 1 as ChannelId, channelName: '}', topic: '"' } as const
  const direct = { kind: 'direct', groupId: 1 as DirectGroupId, members: [one, other] } as const
  const message = (id: number, place: Place, sender: Message['sender'], edited: number | null): Message => ({
    id: id as MessageId,
    place,
    sender,
    content: '{',
    renderedContent: '<p>\ud800',
    sentAt: 1,
    client: 'test',
    isMeMessage: false,
    reactions: [],
    lastEditedAt: edited,
    lastMovedAt: null,
    submessages: [],
    editHistory: edited === null ? null : [{ user_id: 1, timestamp: edited }],
  })
  const flags = { stored: 63, isRead: true, isHistorical: false, isChannelWildcardMentioned: true }
  const jsonOf = messageJson(format)
  const messages = [
    message(1, channel, one, null),
    message(2, channel, other, 1),
    message(3, { ...channel, topic: 'other' }, one, null),
    message(4, direct, other, 1),
  ]
  for (const further of [undefined, { match_content: '{' }]) {
    for (const each of messages) {
      const object = { ...toWireMessage(each, format), flags: flagNames(flags), ...further }
      assert.equal(jsonOf(each, flags, further), JSON.stringify(object))
    }
  }
})
