import type { OperationId } from '../../../generated/operations.ts'
import { type Answer, type ApiClient, accountsOf, type Parameters } from '../../../server/testing.ts'
import type { LargeOrganization } from './large-organization.ts'

/** The organization and its callers. */
export class Scene {
  readonly organization: LargeOrganization
  /** Clients of the demo accounts; the reader is `member`. */
  readonly as: (key: string) => ApiClient
  #count = 0

  constructor(organization: LargeOrganization, url: string) {
    this.organization = organization
    this.as = accountsOf(url, organization.credentials)
  }

  get reader(): ApiClient {
    return this.as('member')
  }

  /** A name that nothing else has. */
  unique(name: string): string {
    this.#count += 1
    return `${name} ${this.#count}`
  }
}

/** One way to make an operation work hard within the usual limits. */
export interface WorstCall {
  readonly operation: OperationId
  readonly what: string
  /** Prepares each call, unmeasured. The call gets its result. */
  readonly prepare?: (scene: Scene) => Promise<unknown>
  readonly call: (scene: Scene, prepared: unknown) => Promise<Answer | Response>
}

/** The same call every time. */
export function always(
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'PUT',
  path: string | ((scene: Scene) => string),
  parameters: Parameters | ((scene: Scene) => Parameters) = {},
  as = 'member',
): WorstCall['call'] {
  return (scene) =>
    scene
      .as(as)
      .request(
        method,
        typeof path === 'string' ? path : path(scene),
        typeof parameters === 'function' ? parameters(scene) : parameters,
      )
}
