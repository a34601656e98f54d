import type { Parameters } from '../../server/testing.ts'
import type { Shape } from './shape.ts'

/** People and things that a client's calls need; created by world.ts before the client starts. */
export interface World {
  /** Ids of the demo organization's accounts: the client is the member's, the others act. */
  readonly userIds: Readonly<Record<string, number>>
  /** API addresses. */
  readonly emails: Readonly<Record<string, string>>
  readonly password: string
  /** Public; the client is subscribed. */
  readonly channelId: number
  /** Public; the client is not subscribed. */
  readonly otherChannelId: number
  readonly otherChannel: string
  /** A message by somebody else in the channel, and one to the client alone. */
  readonly channelMessageId: number
  readonly directMessageId: number
}

/** Further things that a call's parameters may need: the client's queue, and a message that the client has sent. */
export interface Known extends World {
  readonly queueId: string
  readonly lastEventId: number
  readonly ownMessageId: number
  /** Ids of what the library's calls have created, by the names of the calls. */
  readonly made: Readonly<Record<string, number>>
  /** From POST /register_client_device. */
  readonly deviceId: number
  /** `server_emoji_data_url` from POST /register. */
  readonly emojiDataUrl: string
}

/** Before the client has registered. */
export const NOTHING_LEARNED = {
  queueId: '',
  lastEventId: -1,
  ownMessageId: 0,
  made: {},
  deviceId: 0,
  emojiDataUrl: '',
}

type FromKnown<T> = T | ((known: Known) => T)

export interface Call {
  /** The caller; absent: the client's own account. `nobody` sends no credentials. */
  readonly as?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1; or a URL, fetched as it is. */
  readonly path: FromKnown<string>
  /** Strings are sent as they are, everything else as JSON. */
  readonly parameters?: FromKnown<Parameters>
}

/** A call of the client, and what the client needs from the answer. */
export interface Step extends Pick<Call, 'as' | 'parameters'> {
  /** Begins with method and path, then says what is special. */
  readonly does: string
  /** Replaces a path that contains names. */
  readonly path?: Call['path']
  readonly answer?: Shape
}

/** An action, and the event that the client then gets and must understand. */
export interface EventStep {
  readonly does: string
  readonly act: Call
  /** Type of the event, or type and operation. */
  readonly name: string
  readonly event: Shape
}

/** A client that cannot run here, as data: what it sends and what it needs. */
export interface ScriptedClient {
  readonly name: string
  /** Settings of the server. */
  readonly environment: Readonly<Record<string, string>>
  /** In the order of a start; one of them is POST /register. */
  readonly start: readonly Step[]
  readonly uses: readonly Step[]
  readonly events: readonly EventStep[]
  readonly end: readonly Step[]
}

export function ofKnown<T>(value: FromKnown<T>, known: Known): T {
  return typeof value === 'function' ? (value as (known: Known) => T)(known) : value
}
