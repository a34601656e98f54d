import { keyed, picked } from './order.ts'
import type { ClientPart } from './state.ts'

interface Status {
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: string
  readonly away?: boolean
}

export interface StatusFields {
  user_status: Record<number, Status>
}

const SHOWN = ['status_text', 'emoji_name', 'emoji_code', 'reaction_type']

export const part: ClientPart<StatusFields> = {
  fetched: ['user_status'],
  empty: { user_status: {} },
  apply: {
    user_status: (state, { user_id, ...event }: { user_id: number } & Status) => {
      const status = withoutEmpty({ ...state.user_status[user_id], ...picked(event, [...SHOWN, 'away']) })
      if (Object.keys(status).length > 0) state.user_status[user_id] = status
      else delete state.user_status[user_id]
    },
  },
  view: ({ user_status: statuses }, { users }) => ({
    statuses: keyed(
      Object.entries(statuses).filter(([id]) => users.has(Number(id))),
      ([id]) => id,
      ([, status]) => picked(status, SHOWN),
    ),
  }),
}

/** The user is no longer visible to the client. */
export function forgetStatus(state: object, id: number): void {
  const { user_status: statuses } = state as Partial<StatusFields>
  if (statuses) delete statuses[id]
}

/** Empty texts and `away: false` mean that there is no status any more; an emoji without a name is none. */
function withoutEmpty({ emoji_name, emoji_code, reaction_type, ...status }: Status): Status {
  const emoji = { emoji_name, emoji_code, reaction_type }
  const left = Object.entries({ ...status, ...(emoji_name && emoji) }).filter(
    ([, value]) => value !== '' && value !== false,
  )
  return Object.fromEntries(left)
}
