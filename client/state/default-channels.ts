import { ascending, byKey } from './order.ts'
import type { ClientPart } from './state.ts'

interface DefaultGroup {
  readonly id: number
  readonly streams: readonly number[]
}

export interface DefaultChannelFields {
  realm_default_streams: readonly number[]
  realm_default_stream_groups: readonly DefaultGroup[]
}

/** The channels of new users: each event carries the whole list. */
export const part: ClientPart<DefaultChannelFields> = {
  empty: { realm_default_streams: [], realm_default_stream_groups: [] },
  apply: {
    default_streams: (state, { default_streams: ids }: { default_streams: readonly number[] }) => {
      state.realm_default_streams = ids
    },
    default_stream_groups: (state, event: { default_stream_groups: readonly DefaultGroup[] }) => {
      state.realm_default_stream_groups = event.default_stream_groups
    },
  },
  normalize: ({ realm_default_streams: ids, realm_default_stream_groups: groups }) => ({
    realm_default_streams: ids.toSorted(ascending),
    realm_default_stream_groups: byKey(groups, ({ id }) => id).map((group) => ({
      ...group,
      streams: group.streams.toSorted(ascending),
    })),
  }),
}
