import type { Channel } from '../domain/channels/channel.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../domain/organization/organization-state.ts'
import type { User } from '../domain/users/user.ts'
import { AcquaintanceReader } from './repositories/acquaintances.ts'
import { AlertWordReader, AlertWordWriter } from './repositories/alert-words.ts'
import { AttachmentReader, AttachmentWriter } from './repositories/attachments.ts'
import { BotStorageReader, BotStorageWriter } from './repositories/bot-storage.ts'
import { BotReader, BotWriter } from './repositories/bots.ts'
import { ChannelFolderReader, ChannelFolderWriter } from './repositories/channel-folders.ts'
import { ChannelReader, ChannelWriter } from './repositories/channels.ts'
import { CredentialsReader, CredentialsWriter } from './repositories/credentials.ts'
import { CustomEmojiReader, CustomEmojiWriter } from './repositories/custom-emoji.ts'
import { CustomProfileFieldReader, CustomProfileFieldWriter } from './repositories/custom-profile-fields.ts'
import { DataExportReader, DataExportWriter } from './repositories/data-exports.ts'
import { DefaultChannelReader, DefaultChannelWriter } from './repositories/default-channels.ts'
import { DeliveryReader } from './repositories/deliveries.ts'
import { DeviceReader, DeviceWriter } from './repositories/devices.ts'
import { DirectGroupReader, DirectGroupWriter } from './repositories/direct-groups.ts'
import { drafts } from './repositories/drafts.ts'
import { EmailDomainReader, EmailDomainWriter } from './repositories/email-domains.ts'
import { EventLogReader, type EventLogWriter } from './repositories/event-log.ts'
import { EventQueueReader, EventQueueWriter } from './repositories/event-queues.ts'
import { ExportedRowReader } from './repositories/exported-rows.ts'
import { ImageReader, ImageWriter } from './repositories/images.ts'
import { InvitationReader, InvitationWriter } from './repositories/invitations.ts'
import { JobLeaseReader, JobLeaseWriter } from './repositories/job-leases.ts'
import { LinkifierReader, LinkifierWriter } from './repositories/linkifiers.ts'
import { MessagePageReader } from './repositories/message-pages.ts'
import { MessageRemovalReader, MessageRemovalWriter } from './repositories/message-removals.ts'
import { MessageVisibilityReader } from './repositories/message-visibility.ts'
import { MessageReader, MessageWriter } from './repositories/messages.ts'
import { MutedUserReader, MutedUserWriter } from './repositories/muted-users.ts'
import { NavigationViewReader, NavigationViewWriter } from './repositories/navigation-views.ts'
import { OnboardingStepReader, OnboardingStepWriter } from './repositories/onboarding-steps.ts'
import { OrganizationReader, OrganizationWriter } from './repositories/organizations.ts'
import { PictureReader, PictureWriter } from './repositories/pictures.ts'
import { PlaygroundReader, PlaygroundWriter } from './repositories/playgrounds.ts'
import { PresenceReader, PresenceWriter } from './repositories/presence.ts'
import { ProfileWriter } from './repositories/profiles.ts'
import { PushedMessageReader, PushedMessageWriter } from './repositories/pushed-messages.ts'
import { ReactionReader, ReactionWriter } from './repositories/reactions.ts'
import { ReadStateReader, ReadStateWriter } from './repositories/read-state.ts'
import { ReceiptReader } from './repositories/receipts.ts'
import { reminders } from './repositories/reminders.ts'
import { savedSnippets } from './repositories/saved-snippets.ts'
import { scheduledMessages } from './repositories/scheduled-messages.ts'
import { SearchReader, type SearchWriter } from './repositories/search.ts'
import { SubmessageReader, SubmessageWriter } from './repositories/submessages.ts'
import { SubscriptionReader, SubscriptionWriter } from './repositories/subscriptions.ts'
import { TopicReader, TopicWriter } from './repositories/topics.ts'
import { UserGroupReader, UserGroupWriter } from './repositories/user-groups.ts'
import { UserStatusReader, UserStatusWriter } from './repositories/user-statuses.ts'
import { UserTopicReader, UserTopicWriter } from './repositories/user-topics.ts'
import { UserReader, UserWriter } from './repositories/users.ts'
import { WrittenTextReader } from './repositories/written-texts.ts'
import type { Session } from './session.ts'

type Class<Instance = unknown> = new (session: Session) => Instance

function both<Reader, Writer extends Reader>(reader: Class<Reader>, writer: Class<Writer>) {
  return { reader, writer }
}

/** For nouns that are not written yet, or are written in another way. */
function only<Reader>(reader: Class<Reader>) {
  return both(reader, reader)
}

/** One line for each repository: its name, the class that reads, and the one that also writes. */
const REPOSITORIES = {
  acquaintances: only(AcquaintanceReader),
  organizations: both(OrganizationReader, OrganizationWriter),
  users: both(UserReader, UserWriter),
  credentials: both(CredentialsReader, CredentialsWriter),
  channels: both(ChannelReader, ChannelWriter),
  topics: both(TopicReader, TopicWriter),
  directGroups: both(DirectGroupReader, DirectGroupWriter),
  subscriptions: both(SubscriptionReader, SubscriptionWriter),
  messages: both(MessageReader, MessageWriter),
  messagePages: only(MessagePageReader),
  messageRemovals: both(MessageRemovalReader, MessageRemovalWriter),
  messageVisibility: only(MessageVisibilityReader),
  readState: both(ReadStateReader, ReadStateWriter),
  receipts: only(ReceiptReader),
  reactions: both(ReactionReader, ReactionWriter),
  customEmoji: both(CustomEmojiReader, CustomEmojiWriter),
  pictures: both(PictureReader, PictureWriter),
  search: only(SearchReader),
  submessages: both(SubmessageReader, SubmessageWriter),
  userTopics: both(UserTopicReader, UserTopicWriter),
  alertWords: both(AlertWordReader, AlertWordWriter),
  mutedUsers: both(MutedUserReader, MutedUserWriter),
  userStatuses: both(UserStatusReader, UserStatusWriter),
  profiles: only(ProfileWriter),
  presence: both(PresenceReader, PresenceWriter),
  botStorage: both(BotStorageReader, BotStorageWriter),
  attachments: both(AttachmentReader, AttachmentWriter),
  images: both(ImageReader, ImageWriter),
  userGroups: both(UserGroupReader, UserGroupWriter),
  drafts,
  bots: both(BotReader, BotWriter),
  channelFolders: both(ChannelFolderReader, ChannelFolderWriter),
  customProfileFields: both(CustomProfileFieldReader, CustomProfileFieldWriter),
  dataExports: both(DataExportReader, DataExportWriter),
  defaultChannels: both(DefaultChannelReader, DefaultChannelWriter),
  devices: both(DeviceReader, DeviceWriter),
  emailDomains: both(EmailDomainReader, EmailDomainWriter),
  exportedRows: only(ExportedRowReader),
  invitations: both(InvitationReader, InvitationWriter),
  linkifiers: both(LinkifierReader, LinkifierWriter),
  navigationViews: both(NavigationViewReader, NavigationViewWriter),
  onboardingSteps: both(OnboardingStepReader, OnboardingStepWriter),
  playgrounds: both(PlaygroundReader, PlaygroundWriter),
  pushedMessages: both(PushedMessageReader, PushedMessageWriter),
  deliveries: only(DeliveryReader),
  reminders,
  savedSnippets,
  scheduledMessages,
  writtenTexts: only(WrittenTextReader),
  events: only(EventLogReader),
  queues: both(EventQueueReader, EventQueueWriter),
  jobLeases: both(JobLeaseReader, JobLeaseWriter),
}

type Repositories = typeof REPOSITORIES
export type RowReaders = { readonly [Name in keyof Repositories]: InstanceType<Repositories[Name]['reader']> }
type RowWriters = { readonly [Name in keyof Repositories]: InstanceType<Repositories[Name]['writer']> }

/** All readers. Each repository is about one noun. */
export interface Readers extends RowReaders {
  /** For queries that are built, not written: db/narrow/narrow-query.ts. */
  readonly session: Session
  /** The data that permissions depend on, and the time. From the same moment as the rows, or see `upToDate`. */
  readonly organization: OrganizationState
  /** Waits until `organization` is no older than the rows read so far, whatever other processes have committed. */
  upToDate(): Promise<void>
}

/** The counters and indexes of one batch of writes, in one place. */
interface BatchWriters {
  readonly events: EventLogReader &
    Pick<EventLogWriter, 'append' | 'bodyBytes' | 'nextMessageId' | 'lockedHead' | 'deleteOldest' | 'containsAfter'>
  readonly search: SearchReader &
    Pick<SearchWriter, 'add' | 'replace' | 'remove' | 'shortenBacklog' | 'defer' | 'catchUp'>
}

/** Reads single rows that nearly every write needs. A body that has written something uses the repositories instead. */
export interface StartReaders {
  user(id: UserId): Promise<User | undefined>
  /** @param wanted ID, or name regardless of case */
  channel(wanted: ChannelId | string): Promise<Channel | undefined>
}

/** All writers. Exists only inside a transaction. */
export interface Tx
  extends Omit<RowWriters, keyof BatchWriters>,
    BatchWriters,
    Pick<Readers, 'session' | 'organization' | 'upToDate'> {
  /** Rows in their state before this body wrote anything. */
  readonly start: StartReaders
}

/** @param present returns what permissions depend on, from the same moment as the rows */
export function bindReaders(session: Session, present: () => OrganizationState): Readers {
  return bound('reader', session, present) as unknown as Readers
}

export function bindWriters(
  session: Session,
  present: () => OrganizationState,
  writers: BatchWriters,
): Omit<Tx, 'start'> {
  return bound('writer', session, present, writers) as unknown as Omit<Tx, 'start'>
}

function bound(kind: 'reader' | 'writer', session: Session, present: () => OrganizationState, others = {}): object {
  const classes: [string, Record<typeof kind, Class>][] = Object.entries(REPOSITORIES)
  return {
    ...Object.fromEntries(classes.map(([name, { [kind]: Bound }]) => [name, new Bound(session)])),
    ...others,
    upToDate: async () => undefined,
    session,
    get organization() {
      return present()
    },
  }
}
