import type { LogEvent } from '../domain/events/log-event.ts'
import { changesOrganization, type OrganizationState } from '../domain/organization/organization-state.ts'
import type { PendingEvents } from './pending-events.ts'

/**
 * What the bodies of a batch have made of the organization, before its commit: a body decides by what those before it
 * changed, and by what it has changed itself, as it does by rows. Made when somebody asks, since few bodies change anything.
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

  /** @param base as it was committed before the batch */
  after(base: OrganizationState): OrganizationState {
    const count = this.#events.length
    if (count === 0) return base
    if (this.#made?.base !== base || this.#made.count !== count) {
      this.#made = { base, count, state: base.after(this.#events) }
    }
    return this.#made.state
  }
}
