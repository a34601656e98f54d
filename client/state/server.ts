import type { ClientPart, WireEvent } from './state.ts'

export interface ServerFields {
  zulip_version?: unknown
  zulip_merge_base?: unknown
  zulip_feature_level?: unknown
  server_generation?: unknown
}

const NAMES = ['zulip_version', 'zulip_merge_base', 'zulip_feature_level', 'server_generation'] as const

/** The server's version, which changes when a new one starts. */
export const part: ClientPart<ServerFields> = {
  fetched: [],
  empty: {},
  apply: {
    restart: (state, event: WireEvent) => {
      for (const name of NAMES) if (name in state) state[name] = event[name]
    },
  },
}
