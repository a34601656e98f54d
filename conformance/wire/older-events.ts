interface AnyEvent {
  readonly type: string
  readonly op?: string
  readonly [field: string]: unknown
}

/** Events that servers sent beside the one that says it all, until this level. */
export const legacyEvents = { types: ['update_display_settings', 'update_global_notifications'], until: 438 } as const

/** Events in the form that they have at the level of the contract, from a server of any level. */
export function modernized<Event extends AnyEvent>(events: readonly Event[]): Event[] {
  return events
    .filter(({ type }) => !legacyEvents.types.some((legacy) => legacy === type))
    .map((event) => (event.type === 'stream' && event.op === 'delete' ? withIds(event) : event))
}

/** Until level 342 deleted channels came as objects. */
function withIds<Event extends AnyEvent>(event: Event): Event {
  const { stream_ids, streams = [] } = event as { stream_ids?: number[]; streams?: { stream_id: number }[] }
  return stream_ids === undefined ? { ...event, stream_ids: streams.map(({ stream_id }) => stream_id) } : event
}
