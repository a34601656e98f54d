import { operationNamed, requestOf } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Exchange } from '../wire/http.ts'

/** The event queues that a check has made and not deleted. */
export class OpenQueues {
  /** The requests that made them, by id. */
  readonly #made = new Map<string, Exchange['request']>()

  heard({ request, body }: Exchange): void {
    const { method, path } = request
    if (path.endsWith('/register') && typeof body?.queue_id === 'string') this.#made.set(body.queue_id, request)
    if (method === 'DELETE') this.#made.delete(new URLSearchParams(path.split('?')[1]).get('queue_id') ?? '')
  }

  async end(deployment: Deployment): Promise<void> {
    const operation = operationNamed(deployment.contract, 'delete-queue')
    for (const [queue_id, { as, caller }] of this.#made) {
      await deployment.send(requestOf(operation, { queue_id }), as && { login: as, caller })
    }
  }
}
