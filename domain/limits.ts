/**
 * Numbers that bound what clients may send and how long things last; units are in the names. Those that clients see
 * are fields of POST /register. Lengths that a rule checks stand with it: names.ts, topics.ts, message-content.ts.
 */

const MIB = 2 ** 20

// Lengths, in characters (Unicode code points).
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024
export const MAX_CHANNEL_FOLDER_NAME_LENGTH = 60
export const MAX_CHANNEL_FOLDER_DESCRIPTION_LENGTH = 1024
export const MAX_DEFAULT_GROUP_NAME_LENGTH = 60
export const MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH = 1024
export const MAX_REMINDER_NOTE_LENGTH = 1000 // LIMIT-25
export const MAX_CLIENT_NAME_LENGTH = 30
export const MAX_STATUS_TEXT_LENGTH = 60
export const MIN_PASSWORD_LENGTH = 6
export const MAX_PASSWORD_LENGTH = 100
export const API_KEY_LENGTH = 32

// Counts.
/** Messages in one answer of GET /messages, `num_before + num_after` at most. */
export const MAX_MESSAGES_PER_FETCH = 5000
/** POST /register lists the newest unread messages up to here and sets `old_unreads_missing` beyond. */
export const MAX_UNREAD_MESSAGES = 50_000
/** Event queues that one user can have; a client needs one. */
export const MAX_EVENT_QUEUES_PER_USER = 1000
/** Where a request names more new subscribers, they get no notification messages. */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100

/** Channels that new members follow: making an account is as much work, and each change is told with the whole list. */
export const MAX_DEFAULT_CHANNELS = 1000
/** Groups of channels that new users can choose, and channels in all of them together. */
export const MAX_DEFAULT_CHANNEL_GROUPS = 200
export const MAX_DEFAULT_GROUP_CHANNELS = 1000
/** In use. */
export const MAX_CUSTOM_EMOJI = 1000
/** With those that were deactivated, which messages have: each change of one is told with all. */
export const MAX_KEPT_EMOJI = 5000
/** Alert words of one user: all of them are in memory, and in every alert_words event. */
export const MAX_ALERT_WORDS = 1000
/** Deactivated ones too: all that are in use end with their owner, in one transaction. */
export const MAX_BOTS_OF_OWNER = 100
/** UTF-8 bytes of all keys and values that a bot keeps, and what a key counts beside them: all of them are one answer. */
export const MAX_BOT_STORAGE_BYTES = 10_000_000
export const BOT_STORAGE_KEY_BYTES = 500

/** Of a channel with fewer subscribers the API promises the whole list to whoever asks for a part (SUBS-6). */
export const MIN_PARTIAL_SUBSCRIBERS = 250
/** From how many on a part is sent, unless the operator says otherwise: as deployed servers do. */
export const DEFAULT_PARTIAL_SUBSCRIBERS_FROM = 1000

// Uploads.
/** What deployed servers accept by default. */
export const DEFAULT_MAX_UPLOAD_MIB = 25
/** Of pictures that are scaled: emoji, and those of accounts and of the organization. */
export const MAX_PICTURE_MIB = 5
/** How long a link to a file works without credentials. */
export const TEMPORARY_LINK_SECONDS = 60

// Event queues (LIMIT-9, LIMIT-10, LIMIT-17). A parked poll is answered with a heartbeat after the base plus a random
// part, so that polls parked at the same moment do not all come back at the same moment; both together stay below the
// time-out that clients are told.
export const HEARTBEAT_BASE_SECONDS = 45
export const HEARTBEAT_SPREAD_SECONDS = 10
export const LONG_POLL_TIMEOUT_SECONDS = 90
/** A queue that nobody polls for this long is dropped; the client may ask for more at registration. */
export const DEFAULT_QUEUE_IDLE_SECONDS = 600
/** What `idle_queue_timeout=mobile` stands for. */
export const MOBILE_QUEUE_IDLE_SECONDS = 43_200
/** Longer ones that a client asks for are cut to this. */
export const MAX_QUEUE_IDLE_SECONDS = 604_800
/**
 * A queue whose client is further behind the head of the log ends, because the log is kept for the slowest: some ten days of a
 * busy organization, and four times what memory has of it.
 */
export const MAX_EVENTS_BEHIND = 1_000_000
export const MAX_BYTES_BEHIND = 256 * MIB
/** A job that another process does can be taken over when nothing was heard of that process for this long. */
export const JOB_LEASE_SECONDS = 60
/** How often idle queues are looked for. */
export const QUEUE_COLLECTION_SECONDS = 60

// The newest events in memory, and what was made of them for clients: 64 MiB together. Whoever is further behind is
// served from the table.
export const LOG_TAIL_BYTES = 40 * MIB
export const EVENT_FORMS_BYTES = 24 * MIB

// Presence and typing: what clients are told to keep to.
export const PRESENCE_PING_INTERVAL_SECONDS = 60
/** Three missed pings and some slack. */
export const PRESENCE_OFFLINE_THRESHOLD_SECONDS = 200
export const TYPING_STARTED_EXPIRY_MS = 45_000
export const TYPING_STOPPED_WAIT_MS = 12_000
export const TYPING_STARTED_WAIT_MS = 30_000

/** A deactivated organization keeps its data at least this long. */
export const MIN_DEACTIVATED_DELETION_DAYS = 14

/** At most `count` calls, or of whatever is counted, in any `windowSeconds`. */
export interface RateLimit {
  readonly windowSeconds: number
  readonly count: number
}
/** LIMIT-18 */
export const API_CALLS_PER_USER: RateLimit = { windowSeconds: 60, count: 200 }
/** Milliseconds of the processor's time for an account's formulas and code: two hundred messages with a screen of code. */
export const RENDERING_MS_PER_USER: RateLimit = { windowSeconds: 60, count: 5000 }
/** Milliseconds of the processor's time for a person's images, those of their bots included: a hundred small pictures, or seven of the largest. */
export const IMAGE_MS_PER_USER: RateLimit = { windowSeconds: 60, count: 10_000 }
/** Messages that an account reports: each makes a message of the longest kind. */
export const REPORTS_PER_USER: RateLimit = { windowSeconds: 60, count: 10 }
/** Messages that an account moves to other topics and channels: all of them are written in one transaction, which other writers wait for. */
export const MOVED_MESSAGES_PER_USER: RateLimit = { windowSeconds: 60, count: 20_000 }
/** Messages that one move takes along. */
export const MAX_MOVED_MESSAGES = 20_000
/** All of them are in every start of a client, and in every event about one. */
export const MAX_PLAYGROUNDS = 100
/** Each is looked for in every message (domain/linkifiers). */
export const MAX_LINKIFIERS = 50
/** Messages of a topic that one transaction deletes (LIMIT-22). */
export const MESSAGES_DELETED_TOGETHER = 100
/** How long one request deletes a topic before it answers that some is left (LIMIT-22). */
export const TOPIC_DELETION_MS = 50_000
/** Messages of a move to another channel, times those who follow the old channel alone: each has read each of them then. */
export const MAX_MOVED_READS = 10_000_000
/** LIMIT-18; for requests without credentials, by address. */
export const API_CALLS_PER_ADDRESS: RateLimit = { windowSeconds: 60, count: 100 }
/** GET /server_settings, apart from the other calls: the programs of a whole office or computing centre start behind one address. */
export const STARTS_PER_ADDRESS: RateLimit = { windowSeconds: 60, count: 1000 }
/** Failures only: a right password does not count. */
export const FAILED_LOGINS_PER_USERNAME: RateLimit = { windowSeconds: 1800, count: 5 }

/** Code points of the organization's name, as PATCH /realm has it. */
export const MAX_ORGANIZATION_NAME_LENGTH = 40

/** Fields of profiles: all of them are in every start of a client, and in every event about one. */
export const MAX_PROFILE_FIELDS = 50
/** Characters of the JSON that a field's choices or addresses take. */
export const MAX_FIELD_DATA_LENGTH = 5000
/** Fields that the short profile shows. */
export const MAX_SUMMARY_FIELDS = 2
/** Characters. */
export const MAX_PROFILE_LINK_LENGTH = 1000
/** People that one field of a profile names. */
export const MAX_PROFILE_PEOPLE = 100

/** Devices of an account, and as many tokens of the older kind. */
export const MAX_DEVICES = 1000
/** Characters (PUSH-6). */
export const MAX_PUSH_TOKEN_LENGTH = 4096

/** A message that is older is news to nobody: what a push service did not take until then is not sent. */
export const MAX_NOTIFICATION_AGE_SECONDS = 3600
/** How long it is known that devices show a message. */
export const PUSHED_KEPT_SECONDS = 7 * 24 * 3600
/** Of an account: those that were announced last are told of messages. Nobody carries more of them. */
export const DEVICES_TOLD = 20
/** Of a conversation: what a device is told has to fit into what the services of Apple and Google carry, 4 KB. */
export const RECIPIENTS_TOLD = 20
/** Handed over to the push service in one request. */
export const NOTIFICATIONS_A_REQUEST = 100
/** Messages that one notification takes from the screen. */
export const REMOVED_A_NOTIFICATION = 200

/** Views that an account keeps at hand. */
export const MAX_NAVIGATION_VIEWS = 100

/** Exports that an organization asks for in any seven days, deleted ones too (EXPORT-11). */
export const EXPORTS: RateLimit = { windowSeconds: 7 * 24 * 3600, count: 5 }
/** Messages of an organization that exports itself; and bytes of its files (EXPORT-9). */
export const MAX_EXPORTED_MESSAGES = 250_000
export const MAX_EXPORTED_FILE_BYTES = 10 * 1024 ** 3
/** How long an archive waits to be fetched. */
export const EXPORT_KEPT_SECONDS = 7 * 24 * 3600
/** How often an archive is begun before the export has failed. */
export const MAX_EXPORT_ATTEMPTS = 3

/** Open invitations of an account: administrators see all of them. */
export const MAX_INVITATIONS = 500
/** A file to which nothing has referred for so long is removed. */
export const UNUSED_FILE_SECONDS = 35 * 86_400
/** Settings of others that are changed at once: users and settings, multiplied. Each is told, in one transaction. */
export const MAX_SETTINGS_OF_OTHERS = 5000
