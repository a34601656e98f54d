import type { Event } from '../deployment/event-queue.ts'
import type { World } from './world.ts'

/** What an event reveals about the world's channels and messages, in words; undefined if nothing. */
export function leakOf(world: World, event: Event): string | undefined {
  const text = JSON.stringify(event)
  const name = [world.mark, ...world.channels.map((channel) => channel.name)].find((one) => text.includes(one))
  if (name !== undefined) return `${text} has "${name}"`
  const messages = world.messages.map(({ id }) => id)
  const channels = world.channels.map(({ id }) => id)
  const named: readonly (readonly [field: string, ids: readonly number[]])[] = [
    ['message_id', messages],
    ['message_ids', messages],
    ['messages', messages],
    ['stream_id', channels],
    ['stream_ids', channels],
    ['channel_id', channels],
  ]
  const field = named.find(([one, ids]) => idsIn(event, one).some((id) => ids.includes(id)))
  return field && `${text} names one in \`${field[0]}\``
}

/** All numbers in fields of this name. */
function idsIn(value: unknown, field: string): number[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, field))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = name === field ? [inner].flat().filter((one) => typeof one === 'number') : []
    return [...own, ...idsIn(inner, field)]
  })
}
