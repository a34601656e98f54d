import type { Exchange } from '../wire/http.ts'
import type { Account } from './account.ts'

/** The answer of POST /register to `reader` for these types; its event queue is deleted. */
export async function described(reader: Account, types: readonly string[]): Promise<Exchange> {
  const exchange = await reader.must('register-queue', { event_types: [], fetch_event_types: types })
  await reader.call('delete-queue', { queue_id: exchange.body.queue_id })
  return exchange
}
