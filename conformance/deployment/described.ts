import type { Exchange } from '../wire/http.ts'
import type { Account } from './account.ts'

/** What POST /register says of these types to `reader`, without an event queue that stays. */
export async function described(reader: Account, types: readonly string[]): Promise<Exchange> {
  const exchange = await reader.must('register-queue', { event_types: [], fetch_event_types: types })
  await reader.call('delete-queue', { queue_id: exchange.body.queue_id })
  return exchange
}
