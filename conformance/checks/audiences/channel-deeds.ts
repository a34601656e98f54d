import type { Channel } from '../../deployment/leaving.ts'
import { post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { type Json, listOf } from '../../wire/values.ts'
import type { Cast, Tells } from './cast.ts'
import { both, type Deed, done, has, members, ofPeers } from './deed.ts'

export const channelDeeds: readonly Deed[] = [
  { name: 'a new channel', hears: members, does: async ({ t, actor }) => isMade(await t.channel(actor)) },
  {
    name: 'a new private channel',
    hears: both,
    maybe: ['admin'],
    does: async ({ t, actor, follower }) => isMade(await t.channel(actor, [follower], true)),
  },
  peers('peer_add', 'by ID', ({ actor, subject, open }) =>
    actor.call('subscribe', { subscriptions: [{ name: open.name }], principals: [subject.userId] }),
  ),
  peers('peer_remove', 'by themselves', ({ subject, open }) =>
    subject.call('unsubscribe', { subscriptions: [open.name] }),
  ),
  peers('peer_add', 'by themselves', ({ subject, open }) =>
    subject.call('subscribe', { subscriptions: [{ name: open.name }] }),
  ),
  peers('peer_remove', 'by an administrator', ({ admin, subject, open }) =>
    admin.call('unsubscribe', { subscriptions: [open.name], principals: [subject.userId] }),
  ),
  peers('peer_add', 'with PATCH', ({ subject, open }) =>
    subject.call('update-subscriptions', { add: [{ name: open.name }] }),
  ),
  peers('peer_remove', 'with PATCH', ({ subject, open }) =>
    subject.call('update-subscriptions', { delete: [open.name] }),
  ),
  peers('peer_add', 'in private', ({ actor, subject, closed }) =>
    actor.must('subscribe', { subscriptions: [{ name: closed.name }], principals: [subject.userId] }),
  ),
  {
    name: 'a subscription made by somebody else',
    hears: ['stranger'],
    async does({ t, actor, stranger }) {
      const { id } = await t.channel(actor, [stranger])
      return ({ type, op, subscriptions: all }) =>
        type === 'subscription' && op === 'add' && listOf(all).some((one: Json) => one.stream_id === id)
    },
    maybe: ['actor'],
  },
  {
    name: 'a channel’s new first message when the old one is deleted',
    hears: ['actor', 'follower', 'older', 'stranger', 'admin'],
    maybe: ['bot', 'guest'],
    own: [],
    async does({ t, actor, follower, admin }) {
      const channel = await t.channel(actor, [follower])
      const [id, next] = [await post(actor, channel, 'first', 'One.'), await post(actor, channel, 'first', 'Two.')]
      const listed = await actor.must('get-subscriptions')
      const known = listOf(listed.body.subscriptions).find((one: Json) => one.stream_id === channel.id)
      if (known?.first_message_id !== id) return undefined // the server's bot was first
      const answer = await admin.call('delete-message', { message_id: id })
      const change = { type: 'stream', op: 'update', stream_id: channel.id, property: 'first_message_id', value: next }
      return done(answer, has(change))
    },
  },
  ...[false, true].map(
    (isPrivate): Deed => ({
      name: `a new description of a ${isPrivate ? 'private ' : ''}channel`,
      hears: isPrivate ? both : members,
      maybe: [isPrivate ? 'admin' : 'guest'],
      own: [],
      async does({ t, actor, follower, admin }) {
        const { id: stream_id } = await t.channel(actor, isPrivate ? [follower] : [], isPrivate)
        const value = t.unique('Described')
        const answer = await admin.call('update-stream', { stream_id, description: value })
        return done(answer, has({ type: 'stream', op: 'update', stream_id, property: 'description', value }))
      },
    }),
  ),
  {
    name: 'the archiving of a channel',
    hears: members,
    maybe: ['guest'],
    async does({ t, actor, admin }) {
      const channel = await t.channel(actor)
      const answer = await admin.call('archive-stream', { stream_id: channel.id })
      const isIn = ({ stream_ids: ids, streams }: Json): boolean =>
        [...listOf(ids), ...listOf(streams).map((one: Json) => one.stream_id)].includes(channel.id)
      const isArchived = has({ op: 'update', stream_id: channel.id, property: 'is_archived', value: true })
      return done(
        answer,
        (event) => event.type === 'stream' && (event.op === 'delete' ? isIn(event) : isArchived(event)),
      )
    },
  },
]

function isMade({ id }: Channel): Tells {
  return ({ type, op, streams }) =>
    type === 'stream' && op === 'create' && listOf(streams).some((one: Json) => one.stream_id === id)
}

/** Everybody who may see the channel receives the events about its subscribers. */
function peers(op: 'peer_add' | 'peer_remove', how: string, does: (cast: Cast) => Promise<Exchange>): Deed {
  const isPrivate = how === 'in private'
  return {
    name: `a user who ${op === 'peer_add' ? 'joins' : 'leaves'} a channel, ${how}`,
    hears: isPrivate ? both : members,
    maybe: [isPrivate ? 'admin' : 'guest'],
    own: [],
    async does(cast) {
      return done(await does(cast), ofPeers(op, cast.subject.userId, cast[isPrivate ? 'closed' : 'open'].id))
    },
  }
}
