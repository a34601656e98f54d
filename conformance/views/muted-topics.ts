import { EventQueue } from '../deployment/event-queue.ts'
import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import type { Viewer } from './viewer.ts'

/** Visibility policy of a muted topic. */
const muted = 1

/** The old list of muted topics matches the new one. A client that asks for both gets only the new one. */
export async function mutedTopicsAgree({ person, registered, world }: Viewer, agreement: Agreement): Promise<void> {
  const asked = await EventQueue.open(person, { fetch_event_types: ['muted_topics'] })
  await asked.close()
  const { user_topics: policies, subscriptions } = registered.body
  const old: Json = asked.registered.body.muted_topics
  if (!Array.isArray(old) || !Array.isArray(policies)) return
  const names = new Map<number, string>(subscriptions.map((one: Json) => [one.stream_id, one.name]))
  const ours = new Set(world.channels.filter(({ id }) => names.has(id)).map(({ name }) => name))
  const listed = old.filter(([channel]) => ours.has(channel)).map(([channel, topic]) => `${channel} > ${topic}`)
  const there = policies
    .filter((one) => one.visibility_policy === muted && ours.has(names.get(one.stream_id) ?? ''))
    .map((one) => `${names.get(one.stream_id)} > ${one.topic_name}`)
  agreement.sameSet(asked.registered, '`muted_topics` of the tour', listed, there, '`user_topics`')
}
