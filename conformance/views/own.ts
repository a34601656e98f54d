import { EventQueue } from '../deployment/event-queue.ts'
import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import { ask, type Viewer } from './viewer.ts'

/** Visibility policy of a muted topic. */
const muted = 1

/** The user's own settings, and everybody's statuses, are the same in their own operations as at registration. */
export async function ownListsAgree(viewer: Viewer, agreement: Agreement): Promise<void> {
  const { registered, world } = viewer
  const words = await ask(viewer, 'get-alert-words')
  if (words)
    agreement.sameSet(words, '`alert_words`', words.body.alert_words, registered.body.alert_words, 'POST /register')
  await mutedTopicsAgree(viewer, agreement)
  const active = registered.body.realm_users.map(({ user_id: id }: Json) => id)
  const users = world.people.filter(({ userId }) => active.includes(userId))
  await Promise.all(
    users.map(async ({ userId: user_id }) => {
      const status = await ask(viewer, 'get-user-status', { user_id })
      if (status === undefined) return
      const [here, there] = [status.body.status, registered.body.user_status?.[user_id] ?? {}]
      for (const name of ['status_text', 'emoji_name', 'emoji_code', 'reaction_type']) {
        agreement.same(status, `\`${name}\` of user ${user_id}`, here[name] ?? '', there[name] ?? '', 'POST /register')
      }
    }),
  )
}

/** The old list of muted topics matches the new one. A client that asks for both gets only the new one. */
async function mutedTopicsAgree({ person, registered, world }: Viewer, agreement: Agreement): Promise<void> {
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
