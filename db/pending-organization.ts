import type { LogEvent } from '../domain/events/log-event.ts'
import { changesOrganization, type OrganizationState } from '../domain/organization/organization-state.ts'
import type { PendingEvents } from './pending-events.ts'

/**
 * The organization as the bodies of a batch have changed it, before the commit: a body sees the changes of earlier
 * bodies and its own, as with rows. Computed on demand, because few bodies change anything.
 */
export class PendingOrganization implements PendingEvents {
  #events: LogEvent[] = []
  #beforeBody = 0
  #made: { readonly base: OrganizationState; readonly count: number; readonly state: OrganizationState } | undefined

  beginBatch(): void {
    this.#events = []
    this.#beforeBody = 0
    this.#made = undefined
  }

  beginBody(): void {
    this.#beforeBody = this.#events.length
  }

  append(event: LogEvent): void {
    if (changesOrganization(event)) this.#events.push(event)
  }

  abandonBody(): void {
    this.#events.length = this.#beforeBody
    this.#made = undefined
  }

  /** @param base as committed before the batch */
  after(base: OrganizationState): OrganizationState {
    const count = this.#events.length
    if (count === 0) return base
    if (this.#made?.base !== base || this.#made.count !== count) {
      this.#made = { base, count, state: base.after(this.#events) }
    }
    return this.#made.state
  }
}
