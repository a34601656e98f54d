interface AnyEvent {
  readonly type: string
  readonly op?: string
  readonly [field: string]: unknown
}

/** Events that servers sent until this level in addition to the complete event. */
export const legacyEvents = { types: ['update_display_settings', 'update_global_notifications'], until: 438 } as const

/** Events from a server of any level, in the form of the contract's level. */
export function modernized<Event extends AnyEvent>(events: readonly Event[]): Event[] {
  return events
    .filter(({ type }) => !legacyEvents.types.some((legacy) => legacy === type))
    .map((event) => (event.type === 'stream' && event.op === 'delete' ? withIds(event) : event))
}

/** Until level 342 deleted channels were objects. */
function withIds<Event extends AnyEvent>(event: Event): Event {
  const { stream_ids, streams = [] } = event as { stream_ids?: number[]; streams?: { stream_id: number }[] }
  return stream_ids === undefined ? { ...event, stream_ids: streams.map(({ stream_id }) => stream_id) } : event
}
