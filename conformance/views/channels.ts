import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import { ask, seesEverybody, type Viewer } from './viewer.ts'

/** An estimate, which servers recompute from time to time. */
export const estimates = ['stream_weekly_traffic']

/** A channel of the world as in POST /register, and the list it is in. */
interface Listed {
  readonly list: 'subscriptions' | 'unsubscribed' | 'never_subscribed' | 'streams'
  readonly channel: Json
}

/** Channels are the same in every list, alone, and among the subscriptions of their subscribers. */
export async function channelsAgree(viewer: Viewer, agreement: Agreement): Promise<void> {
  const { t, person, registered, world } = viewer
  const listed = listedIn(viewer)
  const ofRegister = new Map<number, Json>(listed.map(({ channel }) => [channel.stream_id, channel]))
  for (const { list, channel } of listed) {
    const [other, what] = [ofRegister.get(channel.stream_id), `channel ${channel.stream_id} in \`${list}\``]
    agreement.sameFields(registered, what, channel, other, 'the other lists of POST /register', estimates)
  }
  listsAreRight(viewer, listed, agreement)
  const followed = idsIn(listed, 'subscriptions')
  const isAdministrator = person.role === 'administrator' || person.role === 'owner'
  const [subscriptions, streams] = await Promise.all([
    ask(viewer, 'get-subscriptions', { include_subscribers: 'true' }),
    ask(viewer, 'get-streams', t.level >= 356 && isAdministrator ? { include_all: true } : {}),
  ])
  const ours = new Set(world.channels.map(({ id }) => id))
  const compared = (exchange: Exchange, list: readonly Json[]): number[] => {
    for (const channel of list) {
      const what = `channel ${channel.stream_id}`
      agreement.sameFields(exchange, what, channel, ofRegister.get(channel.stream_id), 'POST /register', estimates)
    }
    return list.map(({ stream_id: id }) => id).filter((id) => ours.has(id))
  }
  if (subscriptions) {
    const ids = compared(subscriptions, subscriptions.body.subscriptions)
    agreement.sameSet(subscriptions, 'the set of channels followed', ids, followed, 'POST /register')
  }
  if (streams) {
    const ids = compared(streams, streams.body.streams)
    const missing = followed.filter((id) => !ids.includes(id))
    agreement.isSo(streams, missing.length === 0, `all channels that the caller follows; but ${missing} is missing`)
    // Administrators also get private channels, from some servers in one place only.
    if (!isAdministrator)
      agreement.sameSet(streams, 'the set of channels', ids, idsIn(listed, 'streams'), '`streams` of POST /register')
  }
  await ownChannelsAgree(viewer, followed, agreement)
  const seen = listed.filter(({ list }) => list !== 'streams')
  await Promise.all(seen.map((one) => channelAgrees(viewer, one, agreement)))
}

function listedIn({ registered: { body }, world }: Viewer): Listed[] {
  const ours = new Set(world.channels.map(({ id }) => id))
  // The entry with the most fields comes first, and the others are compared with it.
  return (['streams', 'never_subscribed', 'unsubscribed', 'subscriptions'] as const).flatMap((list) =>
    ((body[list] ?? []) as Json[]).filter(({ stream_id: id }) => ours.has(id)).map((channel) => ({ list, channel })),
  )
}

function idsIn(listed: readonly Listed[], name: Listed['list']): number[] {
  return listed.filter(({ list }) => list === name).map(({ channel }) => channel.stream_id)
}

/** Everybody who can see a channel has it in one list: subscribed, formerly subscribed, or never subscribed. */
function listsAreRight(viewer: Viewer, listed: readonly Listed[], agreement: Agreement): void {
  const { registered, world, everFollowed, person } = viewer
  for (const { id, isPrivate } of world.channels) {
    const lists = listed.filter(({ list, channel }) => channel.stream_id === id && list !== 'streams')
    const [list] = lists.map((one) => one.list)
    const says = `channel ${id} in one of the three lists; but it is in ${lists.length}`
    agreement.isSo(registered, lists.length <= 1, says)
    // Servers differ in whether they list a channel that the user may no longer enter.
    if (list === 'subscriptions' || isPrivate || !seesEverybody(viewer)) continue
    const right = everFollowed.has(id) ? 'unsubscribed' : 'never_subscribed'
    const expected = `the list that has channel ${id}, which user ${person.userId} does not follow,`
    agreement.same(registered, expected, list, right, 'what was done')
  }
}

async function ownChannelsAgree(viewer: Viewer, followed: readonly number[], agreement: Agreement): Promise<void> {
  const own = await ask(viewer, 'get-user-channels', { user_id: viewer.person.userId })
  if (own === undefined) return
  agreement.sameSet(own, 'the set of channels followed', idsOfWorld(viewer, own), followed, 'POST /register')
  const other = viewer.world.people.find(({ userId, role }) => userId !== viewer.person.userId && role !== 'guest')
  if (other === undefined || !seesEverybody(viewer)) return
  const theirs = await viewer.person.must('get-user-channels', { user_id: other.userId })
  // Places where the viewer gets the subscribers of a channel; others' private channels may stay hidden.
  const told = listedIn(viewer).filter(({ list, channel }) => list !== 'streams' && Array.isArray(channel.subscribers))
  const known = new Set(told.map(({ channel }) => channel.stream_id))
  const ids = idsOfWorld(viewer, theirs).filter((id) => known.has(id))
  const followers = told.filter(({ channel }) => channel.subscribers.includes(other.userId))
  const there = followers.map(({ channel }) => channel.stream_id)
  const what = `the set of channels that user ${other.userId} follows`
  agreement.sameSet(theirs, what, ids, there, '`subscribers` of POST /register')
}

function idsOfWorld({ world }: Viewer, { body }: Exchange): number[] {
  const ours = new Set(world.channels.map(({ id }) => id))
  return body.subscribed_channel_ids.filter((id: number) => ours.has(id))
}

async function channelAgrees(viewer: Viewer, { list, channel }: Listed, agreement: Agreement): Promise<void> {
  const { person } = viewer
  const stream_id: number = channel.stream_id
  const isFollowed = list === 'subscriptions'
  // A guest no longer sees a channel after leaving it, and nobody sees a private one after leaving it.
  if (!isFollowed && (!seesEverybody(viewer) || channel.invite_only)) return
  const [alone, members, status] = await Promise.all([
    ask(viewer, 'get-stream', { stream_id }),
    ask(viewer, 'get-subscribers', { stream_id }),
    ask(viewer, 'get-subscription-status', { user_id: person.userId, stream_id }),
  ])
  const what = `channel ${stream_id}`
  if (alone) agreement.sameFields(alone, what, alone.body.stream, channel, 'POST /register', estimates)
  if (status) agreement.same(status, '`is_subscribed`', status.body.is_subscribed, isFollowed, 'POST /register')
  if (members) {
    const subscribers: number[] = members.body.subscribers
    const says = `whether user ${person.userId} is there`
    agreement.same(members, says, subscribers.includes(person.userId), isFollowed, 'POST /register')
    if (channel.subscribers)
      agreement.sameSet(members, '`subscribers`', subscribers, channel.subscribers, 'POST /register')
    if (alone && Number.isInteger(alone.body.stream.subscriber_count)) {
      const { subscriber_count: count } = alone.body.stream
      const says = `GET /streams/${stream_id}/members`
      agreement.same(alone, `\`subscriber_count\` of ${what}`, count, subscribers.length, says)
    }
    await otherFollowers(viewer, stream_id, subscribers, agreement)
  }
}

/** A subscriber of a channel and somebody who is not one, besides the viewer. */
async function otherFollowers(viewer: Viewer, stream_id: number, subscribers: readonly number[], agreement: Agreement) {
  const others = viewer.world.people.filter(({ userId, role }) => userId !== viewer.person.userId && role !== 'guest')
  const chosen = [true, false].flatMap(
    (wanted) => others.find(({ userId }) => subscribers.includes(userId) === wanted) ?? [],
  )
  await Promise.all(
    chosen.map(async ({ userId: user_id }) => {
      const status: Exchange | undefined = await ask(viewer, 'get-subscription-status', { user_id, stream_id })
      if (!status) return
      const [is, there] = [status.body.is_subscribed, subscribers.includes(user_id)]
      agreement.same(status, '`is_subscribed`', is, there, `GET /streams/${stream_id}/members`)
    }),
  )
}
