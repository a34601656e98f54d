import { post } from '../../kernel/messaging.ts'
import { quiet } from '../moves.ts'
import { both, type Deed, done, followers, has, ofMessage } from './deed.ts'

/** Messages, and who has them. */
const places = [
  ['messageId', 'in a channel', followers],
  ['directId', 'in a conversation', both],
  ['groupId', 'in a conversation of three', [...both, 'stranger']],
] as const

const channels = [
  ['open', 'a channel', followers],
  ['closed', 'a private channel', both],
] as const

/** Who keeps and who loses a message that moves to a channel of the actor and the follower. */
const moves = [
  ['update_message', 'the open', 'a private', both],
  ['delete_message', 'the open', 'a private', ['guest', 'bot']],
  ['update_message', 'the open', 'a public', [...both, 'bot']],
  ['delete_message', 'the open', 'a public', ['guest']],
  ['update_message', 'a private', 'a private', both],
  ['delete_message', 'a private', 'a private', ['stranger']],
] as const

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
        ['remove', 'actor', ' that is removed'],
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
  ...['came later', 'has left', 'has starred it'].map(
    (who): Deed => ({
      name: `an edit of a message, for somebody who ${who}`,
      hears: who === 'came later' ? both : [...both, 'stranger'],
      own: ['flags'],
      async does({ t, actor, follower, stranger, topic }) {
        const isHidden = who === 'came later'
        const people = who === 'has left' ? [follower, stranger] : [follower]
        const channel = await t.channel(actor, people, isHidden, { history_public_to_subscribers: !isHidden })
        const message_id = await post(actor, channel, topic, 'Before your time.')
        const coming = { subscriptions: [{ name: channel.name }], principals: [stranger.userId] }
        if (isHidden) await actor.must('subscribe', coming)
        else if (who === 'has left') await stranger.must('unsubscribe', { subscriptions: [channel.name] })
        else await stranger.must('update-message-flags', { messages: [message_id], op: 'add', flag: 'starred' })
        const content = 'Long before your time.'
        const answer = await actor.call('update-message', { message_id, content })
        return done(answer, ofMessage('update_message', message_id, { content }))
      },
    }),
  ),
  ...moves.map(
    ([type, from, to, hears]): Deed => ({
      name: `the ${type} event of a move from ${from} to ${to} channel`,
      hears,
      own: ['flags'],
      async does({ t, actor, follower, stranger, open, topic }) {
        const left = from === 'the open' ? open : await t.channel(actor, [follower, stranger], true)
        const entered = await t.channel(actor, [follower], to === 'a private')
        const message_id = await post(actor, left, topic, 'Off I go.')
        const place = { stream_id: entered.id, topic: t.unique('hidden') }
        const answer = await actor.call('update-message', { message_id, ...place, ...quiet })
        return done(answer, ofMessage(type, message_id))
      },
    }),
  ),
  {
    name: 'a vote',
    hears: followers,
    own: [],
    async does({ actor, open, topic }) {
      const id = await post(actor, open, topic, '/poll Which?\nThis one')
      const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
      const answer = await actor.call('add-submessage', { message_id: id, msg_type: 'widget', content })
      return done(answer, ofMessage('submessage', id))
    },
  },
  ...['start', 'stop'].flatMap((op): Deed[] => [
    {
      name: `the ${op} of typing in a channel`,
      hears: ['follower', 'guest'],
      // A bot that was given to the suite may have turned `receives_typing_notifications` off.
      maybe: ['actor', 'bot'],
      own: [],
      async does({ actor, open }) {
        const place = { stream_id: open.id, topic: 'typing here' }
        await actor.must('set-typing-status', { op, type: 'stream', ...place })
        return has({ type: 'typing', op, ...place })
      },
    },
    {
      name: `the ${op} of typing in a conversation`,
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
        name: `the ${op} of editing a message ${where}`,
        from: 361,
        hears: hears.filter((who) => who !== 'actor' && who !== 'older'),
        maybe: ['actor', 'older', ...hears.filter((who) => who === 'bot')],
        own: [],
        async does({ actor, [which]: message_id }) {
          const answer = await actor.call('set-typing-status-for-edit', { message_id, op })
          return done(answer, has({ type: 'typing_edit_message', op, message_id, sender_id: actor.userId }))
        },
      }),
    ),
  ]),
  ...[...channels, ...places.slice(1)].map(
    ([which, where, hears]): Deed => ({
      name: `the deletion of a message: ${where}`,
      hears,
      maybe: which === 'open' || which === 'closed' ? ['admin'] : [], // who deletes it
      async does({ admin, actor, topic, [which]: place }) {
        const isDirect = typeof place === 'number'
        const message_id = isDirect ? place : await post(actor, place, topic, 'Not for long.')
        const answer = await (which === 'open' ? admin : actor).call('delete-message', { message_id })
        const direct = isDirect && { message_type: 'private', stream_id: undefined, topic: undefined }
        return done(answer, ofMessage('delete_message', message_id, { ...direct }))
      },
    }),
  ),
]
