import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../ids.ts'
import { Linkifiers } from '../linkifiers/linkifiers.ts'
import { REACTION_TYPES, WIRE_VALUES } from '../wire-values.ts'
import { flagNames } from './flags.ts'
import { type EditHistoryEntry, type Message, type MessageFormat, type Place, toWireMessage } from './message.ts'
import { MessageJson } from './message-json.ts'

/** Texts with everything that JSON escapes, including lone surrogates. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('"', '\\', '\u2028', '\ud800', 'é', '\0'),
  ),
})
const id = fc.nat(1000)
const user = fc.record({
  id: id as fc.Arbitrary<UserId>,
  email: text,
  standInEmail: fc.option(text),
  fullName: text,
  avatarKey: fc.option(text),
  avatarVersion: id,
})
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.record({
    kind: fc.constant('channel' as const),
    channelId: id as fc.Arbitrary<ChannelId>,
    channelName: text,
    topic: text,
  }),
  fc.record({
    kind: fc.constant('direct' as const),
    groupId: id as fc.Arbitrary<DirectGroupId>,
    members: fc.array(user),
  }),
)
const editHistory: fc.Arbitrary<EditHistoryEntry[]> = fc.array(
  fc.record(
    {
      user_id: fc.option(id),
      timestamp: id,
      prev_content: text,
      prev_rendered_content: text,
      prev_topic: text,
      stream: id,
    },
    { requiredKeys: ['user_id', 'timestamp'] },
  ),
)
const message: fc.Arbitrary<Message> = fc.record({
  id: id as fc.Arbitrary<MessageId>,
  sender: user,
  place,
  content: text,
  renderedContent: text,
  sentAt: id,
  client: text,
  isMeMessage: fc.boolean(),
  reactions: fc.array(
    fc.record({
      userId: id as fc.Arbitrary<UserId>,
      emoji: fc.record({ type: fc.constantFrom(...REACTION_TYPES), code: text, name: text }),
    }),
  ),
  lastEditedAt: fc.option(id),
  lastMovedAt: fc.option(id),
  editHistory: fc.option(editHistory),
  submessages: fc.array(
    fc.record({
      id,
      messageId: id as fc.Arbitrary<MessageId>,
      senderId: id as fc.Arbitrary<UserId>,
      msgType: text,
      content: text,
    }),
  ),
})
const flags = fc.record({
  stored: fc.nat(63),
  isRead: fc.boolean(),
  isHistorical: fc.boolean(),
  isChannelWildcardMentioned: fc.boolean(),
})
const format: fc.Arbitrary<MessageFormat> = fc.record({
  applyMarkdown: fc.boolean(),
  clientGravatar: fc.boolean(),
  allowEmptyTopicName: fc.boolean(),
  realmStringId: text,
  wireValues: fc.constantFrom(...WIRE_VALUES),
  editHistoryPolicy: fc.constantFrom('all' as const, 'moves' as const, 'none' as const),
  linkifiers: fc.constant(
    new Linkifiers([
      {
        ...{ id: 1, pattern: '(?P<all>.+)', url_template: 'https://example.com/{all}' },
        ...{ example_input: null, reverse_template: null, alternative_url_templates: [] },
      },
    ]),
  ),
})
const further = fc.option(fc.record({ match_content: text, match_subject: text }), { nil: undefined })

test('the JSON of messages is that of the objects, byte for byte', () => {
  const of = fc.record({ message, flags, further })
  fc.assert(
    fc.property(format, fc.array(of, { maxLength: 4 }), (how, list) => {
      const json = new MessageJson(how)
      // Senders and places are cached the second time.
      for (const one of [...list, ...list]) {
        const object = { ...toWireMessage(one.message, how), flags: flagNames(one.flags), ...one.further }
        assert.equal(json.of(one.message, one.flags, one.further), JSON.stringify(object))
      }
    }),
    { numRuns: 300 },
  )
})
