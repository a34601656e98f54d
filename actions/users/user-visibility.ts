import type { Tx } from '../../db/repositories.ts'
import { chunksForEvents, chunksOf } from '../../domain/chunks.ts'
import type { Audience } from '../../domain/events/audience.ts'
import type { PlainLogEvent } from '../../domain/events/log-event.ts'
import { ascending, type ChannelId, type UserId } from '../../domain/ids.ts'
import { SHOWN_TO_ALL } from '../../domain/users/email-visibility.ts'
import { MAX_USERS_FOR_PRESENCE_EVENTS } from '../../domain/users/presence.ts'
import type { Role } from '../../domain/users/roles.ts'
import { apiEmail, toWireUser, type User } from '../../domain/users/user.ts'
import { toWireStatusChange } from '../../domain/users/user-status.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { except } from '../channels/channel-audience.ts'

/** Maximum number of accounts in one event of the log. */
const ACCOUNTS_AN_EVENT = 200

/** For each guest, the users who become visible, or are no longer visible. */
export type UsersByViewer = Map<UserId, Set<UserId>>

type Account = Pick<User, 'id' | 'isBot'>

/**
 * Returns the guests who have an event queue and cannot see `user`; nobody if everybody sees everybody. A guest who
 * registers later gets the state after this.
 *
 * @param channelId limits them to subscribers of this channel
 */
export async function guestsNotSeeing(tx: Tx, user: Account, channelId?: ChannelId): Promise<readonly UserId[]> {
  if (!tx.organization.limitsVisibility || user.isBot) return []
  const guests = (await tx.acquaintances.guestsWithQueues(channelId)).filter((id) => id !== user.id)
  if (guests.length === 0) return []
  const seeing = await tx.acquaintances.having(user.id, guests)
  return guests.filter((id) => !seeing.has(id))
}

/** Announces something about an account to those who can see it (EV-REALMUSER-2). @param audience of them */
export async function announceUser(
  tx: Tx,
  user: Account,
  event: PlainLogEvent,
  audience: Audience = { to: 'everyone' },
): Promise<void> {
  tx.events.append(event, withoutGuests(audience, await guestsNotSeeing(tx, user)))
}

export function withoutGuests(audience: Audience, guests: readonly UserId[]): Audience {
  return guests.length === 0 ? audience : except(audience, guests)
}

/**
 * Adds to `into`, for each guest with an event queue among the channel's subscribers and `users`, the others of these
 * that the guest sees only because of this channel. Call it before the rows say that `users` are subscribed, or after
 * the rows no longer say so.
 */
export async function addMetInChannel(
  tx: Tx,
  into: UsersByViewer,
  channelId: ChannelId,
  users: readonly Account[],
  pauses: Pauses,
): Promise<void> {
  if (!tx.organization.limitsVisibility) return
  const listening = new Set(await tx.acquaintances.guestsWithQueues())
  if (listening.size === 0) return
  const people = users.filter(({ isBot }) => !isBot).map(({ id }) => id)
  await addStrangers(tx, into, await tx.acquaintances.guestsWithQueues(channelId), people, pauses)
  const comers = users.flatMap(({ id }) => (listening.has(id) ? [id] : []))
  if (comers.length === 0) return
  const all = new Set([...(await tx.acquaintances.inChannel(channelId, pauses)), ...people])
  await addStrangers(tx, into, comers, [...all], pauses)
}

/** Same as above, for a direct conversation that begins. */
export async function addMetInConversation(tx: Tx, into: UsersByViewer, members: readonly Account[]): Promise<void> {
  if (!tx.organization.limitsVisibility) return
  const listening = new Set(await tx.acquaintances.guestsWithQueues())
  const guests = members.flatMap(({ id }) => (listening.has(id) ? [id] : []))
  const people = members.filter(({ isBot }) => !isBot).map(({ id }) => id)
  await addStrangers(tx, into, guests, people, new Pauses())
}

/** Adds, for each of `guests`, the members of `people` whom the guest cannot see. Starts from the shorter list. */
async function addStrangers(
  tx: Tx,
  into: UsersByViewer,
  guests: readonly UserId[],
  people: readonly UserId[],
  pauses: Pauses,
): Promise<void> {
  const add = (guest: UserId, person: UserId): void => {
    if (guest === person) return
    const met = into.get(guest) ?? new Set()
    into.set(guest, met.add(person))
  }
  if (guests.length <= people.length) {
    for (const guest of guests) {
      const seen = await tx.acquaintances.among(guest, people)
      for (const person of people) if (!seen.has(person)) add(guest, person)
      await pauses.letOthers()
    }
    return
  }
  for (const person of people) {
    const seeing = await tx.acquaintances.having(person, guests)
    for (const guest of guests) if (!seeing.has(guest)) add(guest, person)
    await pauses.letOthers()
  }
}

/** Tells guests whom they can see from now on, with those users' data. Call it before all events about them. */
export async function announceUsersMet(tx: Tx, viewers: UsersByViewer): Promise<void> {
  for (const [ids, audience] of alike(viewers)) await announceShown(tx, ids, audience)
}

/** Tells guests whom they can no longer see. Call it after all events about them. */
export function announceUsersLost(tx: Tx, viewers: UsersByViewer): void {
  for (const [ids, audience] of alike(viewers)) announceHidden(tx, ids, audience)
}

/** Groups guests with the same list of users, because they share events. */
function alike(viewers: UsersByViewer): [readonly UserId[], Audience][] {
  const groups = Map.groupBy(viewers, ([, people]) => ascending([...people]).join())
  return [...groups].map(([people, guests]) => [
    people.split(',').map(Number) as UserId[],
    { to: 'users', userIds: guests.map(([id]) => id) },
  ])
}

async function announceShown(tx: Tx, ids: readonly UserId[], audience: Audience): Promise<void> {
  const pauses = new Pauses()
  const announcesPresence =
    (await tx.users.countActive(MAX_USERS_FOR_PRESENCE_EVENTS + 1)) <= MAX_USERS_FOR_PRESENCE_EVENTS
  const isHidden = tx.organization.settings.presence_disabled
  for (const some of chunksOf(ids, ACCOUNTS_AN_EVENT)) {
    const users = await tx.users.byIds(some)
    const people = users.map((user) => ({
      person: toWireUser(user, { viewer: user, clientGravatar: false }),
      ...(user.emailVisibility !== SHOWN_TO_ALL && { emailVisibility: user.emailVisibility }),
    }))
    for (const piece of chunksForEvents(people)) {
      tx.events.append({ type: 'realm_user', op: 'into_sight', people: piece }, audience, piece.length)
    }
    for (const [user_id, status] of await tx.userStatuses.among(some)) {
      tx.events.append({ type: 'user_status', user_id, ...toWireStatusChange(status) }, audience)
    }
    for (const { id, ...user } of announcesPresence && !isHidden ? users : []) {
      const present = await tx.presence.of(id)
      if (!present) continue
      const { activeAt, connectedAt } = present
      const { now: serverTimestamp } = tx.organization
      tx.events.append(
        { type: 'presence', userId: id, email: apiEmail(user), activeAt, connectedAt, serverTimestamp },
        audience,
      )
    }
    await pauses.letOthers()
  }
}

function announceHidden(tx: Tx, ids: readonly UserId[], audience: Audience): void {
  for (const userIds of chunksOf(ids, ACCOUNTS_AN_EVENT)) {
    // Two for each, because some clients list unknown users.
    tx.events.append({ type: 'realm_user', op: 'out_of_sight', userIds }, audience, 2 * userIds.length)
  }
}

/**
 * Tells a user whose role becomes `role` which users become visible because of that. Call it before announcing anything
 * else that becomes visible.
 */
export async function announceUsersShown(tx: Tx, user: User, role: Role): Promise<void> {
  const { organization } = tx
  if (organization.seesEverybody(user) || !organization.seesEverybody({ role })) return
  const strangers = await strangersOf(tx, user)
  if (strangers.length > 0) await announceShown(tx, strangers, { to: 'users', userIds: [user.id] })
}

/**
 * Tells a user whose role becomes `role` which users are no longer visible because of that. Call it after all other
 * announcements.
 */
export async function announceUsersHidden(tx: Tx, user: User, role: Role): Promise<void> {
  const { organization } = tx
  if (!organization.seesEverybody(user) || organization.seesEverybody({ role })) return
  announceHidden(tx, await strangersOf(tx, user), { to: 'users', userIds: [user.id] })
}

/** Returns the people with whom `user` shares nothing; nobody if `user` has no event queue. */
async function strangersOf(tx: Tx, user: User): Promise<UserId[]> {
  if (!(await tx.queues.isAnyOf(user.id))) return []
  const pauses = new Pauses()
  const known = await tx.acquaintances.of(user.id, pauses)
  return (await tx.users.all(pauses)).flatMap(({ id, isBot }) => (isBot || known.has(id) ? [] : [id]))
}
