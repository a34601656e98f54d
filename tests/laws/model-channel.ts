import type { OwnChannel } from '../../conformance/laws/world.ts'
import type { Person } from './ground.ts'

/** A channel as created by the actions. */
export interface ModelChannel extends OwnChannel {
  /** Whether a subscriber may read what was sent before the subscription. */
  sharesHistory: boolean
  readonly subscribers: Set<Person>
  /** Who reads it without a subscription, because of a group setting. */
  readonly openTo: ReadonlySet<Person>
  /** Administers it, and so always knows of it. */
  readonly maker: Person
  isArchived: boolean
  /** Everybody who could ever know of it: they got events at that time. */
  readonly onceKnownTo: Set<Person>
}
