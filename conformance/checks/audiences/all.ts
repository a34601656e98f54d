import type { Event } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed, effectRule, type Shows } from '../../kernel/effect.ts'
import { postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical } from '../../wire/values.ts'
import { type Cast, type Listener, listenersOf, makeCast, type Tells, type Who } from './cast.ts'
import { channelDeeds } from './channel-deeds.ts'
import type { Deed } from './deed.ts'
import { messageDeeds } from './message-deeds.ts'
import { ownDeeds } from './own-deeds.ts'
import { peopleDeeds } from './people-deeds.ts'

/** In execution order. */
const deeds: readonly Deed[] = [...messageDeeds, ...ownDeeds, ...channelDeeds, ...peopleDeeds]

/** The events that one listener received for one deed. */
interface Ear extends Listener {
  readonly events: readonly Event[]
  readonly exchange: Exchange
}

interface Done {
  readonly deed: Deed
  readonly tells: Tells
  /** Id of the closing message that everybody receives. */
  readonly endId: number
}

/** Who receives which events: one table of everything that can be done and announced. */
export const checks: readonly Check[] = [
  {
    isCostly: true,
    ...effectNamed(
      'audiences/all',
      'everybody concerned by a change receives the same event once, and nobody else receives it',
      async (t, shows) => {
        const cast = await makeCast(t)
        const listeners = await listenersOf(cast)
        const done: Done[] = []
        for (const deed of deeds) {
          if (t.level < (deed.from ?? 0)) continue
          const tells = await deed.does(cast)
          if (tells !== undefined) done.push({ deed, tells, endId: await sendEverybody(cast) })
        }
        for (const { deed, tells, endId } of done) {
          const ears: Ear[] = []
          for (const listener of listeners) {
            const { event, events, exchange, lacked } = await listener.queue.until(
              ({ type, message }) => type === 'message' && message.id === endId,
            )
            const says = `message ${endId} for user ${listener.person.userId} (${listener.who}); but ${lacked.slice(-500)}`
            if (!shows(exchange, event !== undefined, says)) return
            ears.push({ ...listener, events, exchange })
          }
          isHeard(shows, cast, deed, tells, ears)
        }
      },
      effectRule,
    ),
    also: ['update-user-status'],
  },
]

/** Sends a message to all listeners. Events of earlier deeds must come before it. @returns its id */
function sendEverybody({ actor, follower, stranger, guest, bot, admin }: Cast): Promise<number> {
  const people = [follower, stranger, guest, bot, admin].filter((one) => one !== undefined)
  return postTo(actor, people, 'That was that.')
}

function isHeard(shows: Shows, cast: Cast, { name, hears, maybe = [], own }: Deed, tells: Tells, ears: readonly Ear[]) {
  let first: { readonly who: Who; readonly text: string } | undefined
  for (const { who, person, exchange, events } of ears) {
    const told = events.filter(tells)
    const isDue = hears.includes(who)
    const listener = `user ${person.userId} (${who})`
    if (!maybe.includes(who) && !(who === 'guest' && isDue && isStrange(cast, hears))) {
      const says = isDue ? `one event about ${name} for ${listener}` : `no event about ${name} for ${listener}`
      shows(exchange, told.length === (isDue ? 1 : 0), `${says}; but there are ${told.length}`)
    }
    const [event] = told
    // Clients with fewer capabilities receive older forms.
    if (event === undefined || own === undefined || who === 'older') continue
    const text = textOf(event, own)
    first ??= { who, text }
    const says = `the same event about ${name} for everybody: for the ${first.who} ${first.text}; but for ${listener} ${text}`
    shows(exchange, text === first.text, says)
  }
}

/** Whether the guest may not see the person. */
function isStrange({ isKnownToGuest }: Cast, hears: readonly Who[]): boolean {
  return !isKnownToGuest && hears.includes('stranger')
}

/** Omits the fields that differ between listeners, and the id, which counts within its queue. */
function textOf({ id: _, ...event }: Event, own: readonly string[]): string {
  return canonical(JSON.parse(JSON.stringify(event, (field, value) => (own.includes(field) ? undefined : value))))
}
