import type { Pauses } from '../../event-loop/pauses.ts'
import { messagesIn } from '../pieces.ts'
import type { Session } from '../session.ts'

/** The messages of channels or topics, each read once for several users. */
export class MessagesOfPlaces {
  readonly pauses: Pauses
  readonly #session: Session
  readonly #column: 'channel_id' | 'topic_id'
  /** What is known of each place: its messages from `least` on. */
  readonly #known = new Map<number, { readonly least: number; readonly ids: readonly number[] }>()

  constructor(session: Session, column: 'channel_id' | 'topic_id', pauses: Pauses) {
    this.#session = session
    this.#column = column
    this.pauses = pauses
  }

  /** Returns the messages of a place from `least` on, perhaps with older ones. */
  async from(placeId: number, least: number): Promise<readonly number[]> {
    const known = this.#known.get(placeId) ?? { least: Number.MAX_SAFE_INTEGER, ids: [] }
    if (known.least <= least) return known.ids
    const older = await messagesIn(this.#session, this.#column, [placeId], [least, known.least - 1], this.pauses)
    const ids = [...older, ...known.ids]
    this.#known.set(placeId, { least, ids })
    return ids
  }
}
