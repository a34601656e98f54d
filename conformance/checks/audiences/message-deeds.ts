import { post } from '../../kernel/messaging.ts'
import { both, type Deed, done, followers, has, ofMessage } from './deed.ts'

/** What all this happens to, and who has it. */
const places = [
  ['messageId', 'in a channel', followers],
  ['directId', 'in a conversation', both],
  ['groupId', 'in a conversation of three', [...both, 'stranger']],
] as const

const channels = [
  ['open', 'a channel', followers],
  ['closed', 'a private channel', both],
] as const

/** What happens to messages. */
export const messageDeeds: readonly Deed[] = [
  ...channels.map(
    ([which, where, hears]): Deed => ({
      name: `a message to ${where}`,
      hears,
      own: ['flags'],
      async does({ actor, [which]: channel, topic }) {
        const id = await post(actor, channel, topic, 'For those of you who are here.')
        return ({ type, message }) => type === 'message' && message.id === id
      },
    }),
  ),
  ...(['follower', 'guest', 'bot', 'stranger'] as const).map(
    (whom): Deed => ({
      name: `a direct message to the ${whom} and the administrator`,
      hears: ['actor', whom, 'admin', ...(whom === 'follower' ? (['older'] as const) : [])],
      own: ['flags'],
      async does(cast) {
        const { actor, admin, [whom]: other } = cast
        if (other === undefined) return undefined
        const to = [other.userId, admin.userId]
        const sent = await actor.must('send-message', { type: 'private', to, content: 'For three of us.' })
        return ({ type, message }) => type === 'message' && message.id === sent.body.id
      },
    }),
  ),
  ...places.flatMap(([which, where, hears]): Deed[] => [
    ...(
      [
        ['add', 'actor', ''],
        ['add', 'follower', ' that joins another'],
        ['remove', 'actor', ' that is taken back'],
      ] as const
    ).map(
      ([op, who, how]): Deed => ({
        name: `a reaction to a message ${where}${how}`,
        hears,
        own: [],
        async does({ [who]: person, [which]: message_id }) {
          await person.must(`${op}-reaction`, { message_id, emoji_name: 'tada' })
          return ofMessage('reaction', message_id, { op, emoji_name: 'tada', user_id: person.userId })
        },
      }),
    ),
    {
      name: `an edit of a message ${where}`,
      hears,
      own: ['flags'],
      async does({ actor, [which]: message_id }) {
        const content = 'Listen again.'
        const answer = await actor.call('update-message', { message_id, content })
        const noChannel = which !== 'messageId' && { stream_id: undefined, subject: undefined }
        return done(answer, ofMessage('update_message', message_id, { content, ...noChannel }))
      },
    },
  ]),
  {
    name: 'an edit of a message that somebody who came later may not read',
    hears: both,
    own: ['flags'],
    async does({ t, actor, follower, stranger, topic }) {
      const channel = await t.channel(actor, [follower], true, { history_public_to_subscribers: false })
      const message_id = await post(actor, channel, topic, 'Before your time.')
      await actor.must('subscribe', { subscriptions: [{ name: channel.name }], principals: [stranger.userId] })
      const content = 'Long before your time.'
      const answer = await actor.call('update-message', { message_id, content })
      return done(answer, ofMessage('update_message', message_id, { content }))
    },
  },
  ...channels.map(
    ([which, where, hears]): Deed => ({
      name: `the end of a message in ${where}`,
      hears,
      maybe: ['admin'], // who deletes it
      async does({ admin, actor, [which]: channel, topic }) {
        const message_id = await post(actor, channel, topic, 'Not for long.')
        const answer = await (which === 'open' ? admin : actor).call('delete-message', { message_id })
        return done(answer, ofMessage('delete_message', message_id))
      },
    }),
  ),
  ...['start', 'stop'].flatMap((op): Deed[] => [
    {
      name: `typing that ${op}s in a channel`,
      from: 58,
      hears: ['follower', 'guest', 'bot'],
      maybe: ['actor'],
      own: [],
      async does({ actor, open }) {
        const place = { stream_id: open.id, topic: 'typing here' }
        await actor.must('set-typing-status', { op, type: 'stream', ...place })
        return has({ type: 'typing', op, ...place })
      },
    },
    {
      name: `typing that ${op}s in a conversation`,
      hears: ['follower', 'older'],
      maybe: ['actor'],
      own: [],
      async does({ actor, follower }) {
        await actor.must('set-typing-status', { op, type: 'direct', to: [follower.userId] })
        return ({ type, op: is, message_type: place, sender }) =>
          type === 'typing' && is === op && place !== 'stream' && sender?.user_id === actor.userId
      },
    },
    ...places.map(
      ([which, where, hears]): Deed => ({
        name: `an edit of a message ${where} that ${op}s`,
        from: 361,
        hears: hears.filter((who) => who !== 'actor' && who !== 'older'),
        maybe: ['actor', 'older'],
        own: [],
        async does({ actor, [which]: message_id }) {
          const answer = await actor.call('set-typing-status-for-edit', { message_id, op })
          return done(answer, has({ type: 'typing_edit_message', op, message_id, sender_id: actor.userId }))
        },
      }),
    ),
  ]),
  ...places.slice(1).map(
    ([which, place, hears]): Deed => ({
      name: `the end of a message ${place}`,
      hears,
      async does({ actor, [which]: message_id }) {
        const answer = await actor.call('delete-message', { message_id })
        const where = { message_type: 'private', stream_id: undefined, topic: undefined }
        return done(answer, ofMessage('delete_message', message_id, where))
      },
    }),
  ),
]
