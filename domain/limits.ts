/**
 * Limits for what clients may send and how long things last; units are in the names. Those that clients see are fields
 * of POST /register. Limits of lengths that a rule checks are in the file of the rule: names.ts, topics.ts,
 * message-content.ts.
 */

const MIB = 2 ** 20

// Lengths in characters (Unicode code points).
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

/**
 * Maximum bytes of the description of a channel or folder as HTML, in which an emoji takes a hundred. The state of
 * everybody contains all of these.
 */
export const MAX_DESCRIPTION_HTML_BYTES = 32 * 1024
/** Same as above for all folders together. */
export const MAX_FOLDER_HTML_BYTES = 4 * MIB

// Counts.
/** Maximum of `num_before + num_after` in GET /messages. */
export const MAX_MESSAGES_PER_FETCH = 5000
/**
 * POST /register lists at most this many of the newest unread messages, and sets `old_unreads_missing` if there are
 * more.
 */
export const MAX_UNREAD_MESSAGES = 50_000
/** Maximum number of event queues of one user. A client needs one. */
export const MAX_EVENT_QUEUES_PER_USER = 1000
/** Requests with more new subscribers send no notifications. */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100

/**
 * Maximum number of default channels of new members. The cost of creating an account grows with it, and each change is
 * announced with the whole list.
 */
export const MAX_DEFAULT_CHANNELS = 1000
/** Maximum number of default channel groups, and of channels in all of them together. */
export const MAX_DEFAULT_CHANNEL_GROUPS = 200
export const MAX_DEFAULT_GROUP_CHANNELS = 1000
/** Archived ones included. */
export const MAX_CHANNEL_FOLDERS = 1000
/** In use. */
export const MAX_CUSTOM_EMOJI = 1000
/**
 * Maximum number of custom emoji including deactivated ones, which old messages contain. Each change is announced with
 * all of them.
 */
export const MAX_KEPT_EMOJI = 5000
/**
 * Maximum number of alert words of one user, and of characters in all of them. They are in memory, and in every
 * alert_words event.
 */
export const MAX_ALERT_WORDS = 1000
export const MAX_ALERT_WORDS_LENGTH = 10_000
/** Includes deactivated ones, because active ones are deactivated with their owner in one transaction. */
export const MAX_BOTS_OF_OWNER = 100
/**
 * Maximum UTF-8 bytes of all keys and values of a bot, because one answer has all of them, and the bytes that each key
 * adds to that.
 */
export const MAX_BOT_STORAGE_BYTES = 10_000_000
export const BOT_STORAGE_KEY_BYTES = 500

/** For channels with fewer subscribers the API promises the whole list to clients that ask for a part (SUBS-6). */
export const MIN_PARTIAL_SUBSCRIBERS = 250
/** From this size on a partial list is sent by default, as on deployed servers. */
export const DEFAULT_PARTIAL_SUBSCRIBERS_FROM = 1000

// Uploads.
/** Default of deployed servers. */
export const DEFAULT_MAX_UPLOAD_MIB = 25
/** For pictures that are scaled: emoji, avatars, and pictures of the organization. */
export const MAX_PICTURE_MIB = 5
/** How long a link to a file works without credentials. */
export const TEMPORARY_LINK_SECONDS = 60

// Event queues (LIMIT-9, LIMIT-10, LIMIT-17). A parked poll gets a heartbeat after the base plus a random part, so that
// polls parked together do not all return together; the sum stays below the timeout that clients are told.
export const HEARTBEAT_BASE_SECONDS = 45
export const LONG_POLL_TIMEOUT_SECONDS = 90
/** A queue is dropped when nobody has polled it for this long; clients may ask for more at registration. */
export const DEFAULT_QUEUE_IDLE_SECONDS = 600
/** The value that `idle_queue_timeout=mobile` stands for. */
export const MOBILE_QUEUE_IDLE_SECONDS = 43_200
/** Maximum that a client may ask for. */
export const MAX_QUEUE_IDLE_SECONDS = 604_800
/**
 * A queue ends if its client is further behind the head of the log, because the log is kept for the slowest client. The
 * limits are some ten days of a busy organization, and four times the part of the log in memory.
 */
export const MAX_EVENTS_BEHIND = 1_000_000
export const MAX_BYTES_BEHIND = 256 * MIB
/** A job of another process can be taken over if that process was silent for this long. */
export const JOB_LEASE_SECONDS = 60
/** Interval of the search for idle queues. */
export const QUEUE_COLLECTION_SECONDS = 60

// The newest events in memory, and their forms for clients: 64 MiB together. Clients further behind are served from the
// table.
export const LOG_TAIL_BYTES = 40 * MIB
export const EVENT_FORMS_BYTES = 24 * MIB

// Presence and typing intervals that clients are told.
export const PRESENCE_PING_INTERVAL_SECONDS = 60
/** Three missed pings and some slack. */
export const PRESENCE_OFFLINE_THRESHOLD_SECONDS = 200
export const TYPING_STARTED_EXPIRY_MS = 45_000
export const TYPING_STOPPED_WAIT_MS = 12_000
export const TYPING_STARTED_WAIT_MS = 30_000

/** A deactivated organization keeps its data at least this long. */
export const MIN_DEACTIVATED_DELETION_DAYS = 14

/** At most `count` calls, or other counted units, within `windowSeconds`. */
export interface RateLimit {
  readonly windowSeconds: number
  readonly count: number
}
/** LIMIT-18 */
export const API_CALLS_PER_USER: RateLimit = { windowSeconds: 60, count: 200 }
/** Milliseconds of processor time for an account's formulas and code: two hundred messages with a screen of code. */
export const RENDERING_MS_PER_USER: RateLimit = { windowSeconds: 60, count: 5000 }
/**
 * Milliseconds of processor time for the images of a user and their bots: a hundred small pictures, or seven of the
 * largest.
 */
export const IMAGE_MS_PER_USER: RateLimit = { windowSeconds: 60, count: 10_000 }
/** Messages that an account reports. Each report creates a message of maximum length. */
export const REPORTS_PER_USER: RateLimit = { windowSeconds: 60, count: 10 }
/**
 * Messages that an account moves to other topics and channels. All of them are written in one transaction, while other
 * writers wait.
 */
export const MOVED_MESSAGES_PER_USER: RateLimit = { windowSeconds: 60, count: 20_000 }
/**
 * Bytes of events that a person and their bots write. The log keeps 256 MiB for queues that nobody polls, and then ends
 * these.
 */
export const EVENT_BYTES_PER_USER: RateLimit = { windowSeconds: 60, count: 16 * 1024 * 1024 }
/** Bytes of events that one request for subscriptions writes: all of them are in memory until the commit. */
export const MAX_SUBSCRIPTION_EVENT_BYTES = 32 * 1024 * 1024
/** Messages moved at once. */
export const MAX_MOVED_MESSAGES = 20_000
/** All playgrounds are in the initial state of every client, and in every event about one. */
export const MAX_PLAYGROUNDS = 100
/** Every message is searched for each (domain/linkifiers). */
export const MAX_LINKIFIERS = 50
/**
 * Maximum size of the history of a message, because each reader gets all of it, and each edit writes it again. Beyond
 * this size moves add nothing, and a move to another channel drops the former topics, which would otherwise seem to be
 * of that channel (DIFF-EDIT-HISTORY).
 */
export const MAX_HISTORY_BYTES = 2_000_000
/** Messages of a topic that one transaction deletes (LIMIT-22). */
export const MESSAGES_DELETED_TOGETHER = 100
/** Time for which one request deletes a topic before it answers that part of the topic is left (LIMIT-22). */
export const TOPIC_DELETION_MS = 50_000
/**
 * Maximum of moved messages times subscribers of only the old channel, because each message is marked as read for each
 * of these subscribers.
 */
export const MAX_MOVED_READS = 10_000_000
/** LIMIT-18; for requests without credentials, by address. */
export const API_CALLS_PER_ADDRESS: RateLimit = { windowSeconds: 60, count: 100 }
/**
 * GET /server_settings, apart from other calls: the clients of a whole office or computing centre start behind one
 * address.
 */
export const STARTS_PER_ADDRESS: RateLimit = { windowSeconds: 60, count: 1000 }
/** Counts only failures. */
export const FAILED_LOGINS_PER_USERNAME: RateLimit = { windowSeconds: 1800, count: 5 }

/** Code points of the organization's name, as in PATCH /realm. */
export const MAX_ORGANIZATION_NAME_LENGTH = 40

/** Of the JSON of an event queue's narrow: an account has a thousand queues, in memory and in the table. */
export const MAX_QUEUE_NARROW_BYTES = 2048

/** Users whom an account mutes. Each change is announced with all of them. */
export const MAX_MUTED_USERS = 1000
/** Topics with a policy of one account. */
export const MAX_TOPIC_POLICIES = 10_000
/** With more than this, mentions by others add no policy. */
export const MAX_TOPIC_POLICIES_BY_OTHERS = 5000
/**
 * A longer list of muted topics is only in the initial state, because the event log would get all of it with each
 * change. One move announces no more than this for all users together.
 */
export const MAX_MUTED_TOPICS_BYTES = 64 * 1024

/** Custom profile fields: all of them are in the initial state of every client, and in every event about one. */
export const MAX_PROFILE_FIELDS = 50
/** Characters of the JSON of a field's choices or addresses. */
export const MAX_FIELD_DATA_LENGTH = 5000
/** Fields shown in the profile summary. */
export const MAX_SUMMARY_FIELDS = 2
/** Characters. */
export const MAX_PROFILE_LINK_LENGTH = 1000
/** Of all values of a profile as HTML: every list of users has all of them. */
export const MAX_PROFILE_HTML_BYTES = 32 * 1024
/** Users that one profile field names. */
export const MAX_PROFILE_PEOPLE = 100

/** Maximum number of devices of an account, and also of its tokens of the older kind. */
export const MAX_DEVICES = 1000
/** Characters (PUSH-6). */
export const MAX_PUSH_TOKEN_LENGTH = 4096

/**
 * Maximum age of a notification. If the push service has not accepted it by then, it is dropped, because the message is
 * no longer news.
 */
export const MAX_NOTIFICATION_AGE_SECONDS = 3600
/** Time for which the server remembers that devices show a message. */
export const PUSHED_KEPT_SECONDS = 7 * 24 * 3600
/** Maximum number of devices of an account that are notified; the latest ones are. Nobody carries more. */
export const DEVICES_TOLD = 20
/**
 * Maximum number of members of a conversation in a notification, which must fit into the 4 KB of the services of Apple
 * and Google.
 */
export const RECIPIENTS_TOLD = 20
/** Notifications in one request to the push service. */
export const NOTIFICATIONS_A_REQUEST = 100
/** Messages that one notification removes from the screen. */
export const REMOVED_A_NOTIFICATION = 200

/** Navigation views of an account. */
export const MAX_NAVIGATION_VIEWS = 100

/** Exports that an organization may request in seven days, deleted ones included (EXPORT-11). */
export const EXPORTS: RateLimit = { windowSeconds: 7 * 24 * 3600, count: 5 }
/** Maximum number of messages of an organization that exports itself, and maximum bytes of its files (EXPORT-9). */
export const MAX_EXPORTED_MESSAGES = 250_000
export const MAX_EXPORTED_FILE_BYTES = 10 * 1024 ** 3
/** How long an archive can be fetched. */
export const EXPORT_KEPT_SECONDS = 7 * 24 * 3600
/** How often an archive is begun before the export has failed. */
export const MAX_EXPORT_ATTEMPTS = 3

/** Open invitations of an account; administrators see all of them. */
export const MAX_INVITATIONS = 500
/** A file is removed when nothing has referred to it for this long. */
export const UNUSED_FILE_SECONDS = 35 * 86_400
/**
 * Maximum of users times settings that one request may change for others. Each change is announced, in one transaction.
 */
export const MAX_SETTINGS_OF_OTHERS = 5000
