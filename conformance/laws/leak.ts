import type { Event } from '../deployment/event-queue.ts'
import type { World } from './world.ts'

/** Describes what an event reveals about the world's channels and messages; undefined if nothing. */
export function leakOf(world: World, event: Event): string | undefined {
  const text = JSON.stringify(event)
  const name = [world.mark, ...world.channels.map((channel) => channel.name)].find((one) => text.includes(one))
  if (name !== undefined) return `${text} has "${name}"`
  const names = (things: readonly { readonly id: number }[]) => (field: string) =>
    idsIn(event, field).some((id) => things.some((thing) => thing.id === id))
  const field =
    ['message_id', 'message_ids', 'messages'].find(names(world.messages)) ??
    ['stream_id', 'stream_ids', 'channel_id'].find(names(world.channels))
  return field && `${text} names one in \`${field}\``
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
