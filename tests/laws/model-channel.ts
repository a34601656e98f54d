import type { OwnChannel } from '../../conformance/laws/world.ts'
import type { Person } from './ground.ts'

/** A channel as the actions made it. */
export interface ModelChannel extends OwnChannel {
  /** Whether a subscriber may read what was sent before their time. */
  sharesHistory: boolean
  readonly subscribers: Set<Person>
  /** Who reads it without being subscribed, by a group setting. */
  readonly openTo: ReadonlySet<Person>
  /** Administers it, and so knows of it always. */
  readonly maker: Person
  isArchived: boolean
  /** Who has ever been able to know of it: events told them when they were. */
  readonly onceKnownTo: Set<Person>
}
