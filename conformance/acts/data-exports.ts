import { type Account, succeeded } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { EventQueue } from '../deployment/event-queue.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { byObserver, ourKind } from '../laws/action-kind.ts'
import type { Exchange } from '../wire/http.ts'
import { type Json, listOf } from '../wire/values.ts'
import type { Requests } from './right-request.ts'

/** Maximum time to create an archive, in milliseconds. */
export const exportPatienceMs = 60_000

/** Where exports are limited (EXPORT-11), only the checks about them request any. */
function needExports(t: CheckContext): void {
  if (t.deployment.isLimited) t.leaveOut('an organization may ask for a few exports a week only')
}

/** Leaves the check out if this refuses an export because the organization is too large for any (EXPORT-9). */
export function leaveOutIfTooLarge(t: CheckContext, answer: Exchange): void {
  const { code, msg } = answer.body ?? {}
  if (code === 'BAD_REQUEST' && /manual export/i.test(msg)) t.leaveOut('the organization is too large for an export')
}

/** The first export of a run, by its deployment. */
const tried = new WeakMap<Deployment, Promise<Exchange>>()

/** Same as above before a check whose subject is the request itself. */
async function needRoom(t: CheckContext): Promise<void> {
  const first = tried.get(t.deployment) ?? t.person('administrator').call('start-data-export')
  tried.set(t.deployment, first)
  leaveOutIfTooLarge(t, await first)
}

/** The entry of an export in a list or event. */
export function entryIn(exports: unknown, id: unknown): Json {
  return listOf(exports).find((one: Json) => one?.id === id)
}

/** The export, once its archive exists; undefined if it takes too long. */
export async function whenMade(
  queue: EventQueue,
  id: number,
): Promise<{ entry: Json; exchange: Exchange } | undefined> {
  const isMade = (event: Json) => event.type === 'realm_export' && entryIn(event.exports, id)?.pending === false
  const { event, exchange } = await queue.until(isMade, exportPatienceMs)
  return event && { entry: entryIn(event.exports, id), exchange }
}

async function made(t: CheckContext, administrator: Account): Promise<Json> {
  needExports(t)
  const queue = await listen(administrator, ['realm_export'])
  const answer = await administrator.call('start-data-export')
  leaveOutIfTooLarge(t, answer)
  const { id } = succeeded('start-data-export', answer).body
  const found = await whenMade(queue, id)
  await queue.close()
  return found?.entry ?? t.leaveOut('an export takes more than a minute')
}

export const requests: Requests = {
  'start-data-export': async (_, t) => {
    needExports(t)
    await needRoom(t)
    return {}
  },
  'remove-data-export': async (_, t) => ({ export_id: (await made(t, t.person('administrator'))).id }),
  'get-data-export-archive': async (_, t) => {
    const administrator = t.person('administrator')
    const { pathname: path } = new URL(String((await made(t, administrator)).export_url))
    const [file_name, file_key] = path.split('/').toReversed()
    const { text } = await t.deployment.send({ method: 'GET', path })
    return { as: administrator, values: { file_key, file_name }, answer: text }
  },
}

export const actions = [
  ourKind('consent to exports', byObserver, (world, { who }) =>
    world.person(who).call('update-settings', { allow_private_data_export: true }),
  ),
]
