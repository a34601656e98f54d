import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { insertChannel } from '../actions/channels/insert-channel.ts'
import { renderContent } from '../actions/messages/render-content.ts'
import { sendMessage } from '../actions/messages/send-message.ts'
import { subscribeUsers } from '../actions/subscriptions/subscribe-users.ts'
import { createUser } from '../actions/users/create-user.ts'
import type { Database } from '../db/database.ts'
import type { NewChannel } from '../db/repositories/channels.ts'
import type { Tx } from '../db/repositories.ts'
import { type Clock, unixSeconds } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import { renderDescription } from '../domain/markdown/render.ts'
import { ROLE, type Role } from '../domain/users/roles.ts'
import type { User } from '../domain/users/user.ts'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import { asActor } from '../permissions/actor.ts'
import { renderingHere } from '../rendering/rendering.ts'
import { hashPassword, newApiKey, type Secrets } from '../secrets/secrets.ts'
import { writeWhole } from './data-folder.ts'

/**
 * `demo-credentials.json` or `owner-credentials.json`: the data that a client, a test or the conformance suite needs to
 * log in.
 */
export interface DemoCredentials {
  readonly base_url: string
  readonly feature_level: number
  /** The password of every person; bots have none. */
  readonly password: string
  readonly users: Readonly<
    Record<string, { readonly email: string; readonly api_key: string; readonly user_id: number }>
  >
}

interface Account {
  /** Key in the credentials file. */
  readonly key: string
  readonly fullName: string
  readonly role: Role
  readonly isBot?: true
}

const OWNER = { key: 'owner', fullName: 'Olivia Owner', role: ROLE.owner } as const satisfies Account
const DEMO_ACCOUNTS: readonly Account[] = [
  OWNER,
  { key: 'admin', fullName: 'Adam Admin', role: ROLE.administrator },
  { key: 'moderator', fullName: 'Mona Moderator', role: ROLE.moderator },
  { key: 'member', fullName: 'Max Member', role: ROLE.member },
  { key: 'member2', fullName: 'Mia Member', role: ROLE.member },
  { key: 'guest', fullName: 'Gus Guest', role: ROLE.guest },
  { key: 'bot', fullName: 'Demo Bot', role: ROLE.member, isBot: true },
]

interface DemoChannel {
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  /**
   * Users who are subscribed before the messages are sent, or after. In a private channel the latter do not see earlier
   * messages.
   */
  readonly subscribers: readonly string[]
  readonly lateSubscribers: readonly string[]
  readonly messages: readonly { readonly from: string; readonly topic: string; readonly content: string }[]
}

const PEOPLE = ['owner', 'admin', 'moderator', 'member', 'member2'] as const
const DEMO_CHANNELS: readonly DemoChannel[] = [
  {
    name: 'general',
    description: 'Everybody, about **everything**.',
    isPrivate: false,
    subscribers: [...PEOPLE, 'guest', 'bot'],
    lateSubscribers: [],
    messages: [
      { from: 'owner', topic: 'welcome', content: 'Welcome to Parley! Say hello to @**Demo Bot**.' },
      { from: 'bot', topic: 'welcome', content: 'Hello. I am **Demo Bot**: I have an API key, and so do you.' },
      { from: 'member', topic: 'lunch', content: 'Noodles at noon?' },
      { from: 'member2', topic: 'lunch', content: 'Yes. @**Max Member**, save me a seat.' },
    ],
  },
  {
    name: 'engineering',
    description: 'How it is built.',
    isPrivate: false,
    subscribers: [...PEOPLE, 'bot'],
    lateSubscribers: [],
    messages: [
      { from: 'admin', topic: 'contract', content: 'The contract is served at `/api/v1/openapi.json`.' },
      {
        from: 'member',
        topic: 'contract',
        content: 'Try it:\n```sh\ncurl $SERVER/api/v1/openapi.json\n```',
      },
    ],
  },
  {
    name: 'leads',
    description: 'A private channel: who joins later does not see what was said before.',
    isPrivate: true,
    subscribers: ['owner', 'admin'],
    lateSubscribers: ['moderator'],
    messages: [{ from: 'owner', topic: 'plans', content: 'Only those who were here see this.' }],
  },
]
/** Domain of all demo addresses, which can never exist on the internet. */
const DEMO_DOMAIN = 'parley.example'

export interface FirstStart {
  readonly uuid: string
  readonly kind: 'demo' | 'empty'
  /** Name of the organization; the demo has its own, and its own owner. */
  readonly name: string
  readonly owner: { readonly email: string; readonly fullName: string }
  readonly db: Database
  readonly secrets: Secrets
  readonly clock: Clock
  /** Address of the server, as far as it is known before the server listens. */
  readonly baseUrl: string
  readonly credentialsFile: string
}

/**
 * Creates the organization of an empty database in one transaction. The credentials are on disk before it commits: a
 * start that is killed in between leaves an empty database, and the next start removes the credentials.
 */
export async function makeOrganization({
  uuid,
  kind,
  name,
  owner,
  db,
  secrets,
  clock,
  baseUrl,
  credentialsFile,
}: FirstStart): Promise<void> {
  const accounts = kind === 'demo' ? DEMO_ACCOUNTS : [{ ...OWNER, fullName: owner.fullName }]
  const addressOf = ({ key, isBot }: Account): string =>
    kind === 'empty' ? owner.email : `${isBot ? `demo-${key}` : key}@${DEMO_DOMAIN}`
  const password = randomBytes(9).toString('base64url')
  const passwordHash = await hashPassword(password)
  const keys = new Map(accounts.map(({ key }) => [key, newApiKey()]))
  const now = unixSeconds(clock)
  const credentials: DemoCredentials = {
    base_url: baseUrl,
    feature_level: FEATURE_LEVEL,
    password,
    users: Object.fromEntries(
      accounts.map((account, index) => [
        account.key,
        // Accounts are created in this order in an empty table, so their IDs are known in advance.
        { email: addressOf(account), api_key: keys.get(account.key) ?? '', user_id: index + 1 },
      ]),
    ),
  }
  writeWhole(credentialsFile, `${JSON.stringify(credentials, null, 2)}\n`)
  await db.transaction(async (tx) => {
    await tx.organizations.insert(
      {
        uuid,
        stringId: '',
        name: kind === 'demo' ? 'Parley Demo' : name,
        description: kind === 'demo' ? 'A place to try things out.' : '',
        createdAt: now,
      },
      secrets.checkValue,
    )
    const users = new Map<string, User>()
    for (const { key, fullName, role, isBot = false } of accounts) {
      const login = credentials.users[key]
      if (!login) throw new Error(`no credentials for ${key}`)
      const person = {
        id: login.user_id as UserId,
        email: login.email,
        fullName,
        role,
        isBot,
        botOwnerId: isBot ? (users.get('owner')?.id ?? null) : null,
        canCreateUsers: role === ROLE.owner,
        canChangeUserEmails: role === ROLE.owner,
        dateJoined: now,
        passwordHash: isBot ? null : passwordHash,
        ...secrets.storedApiKey(login.api_key),
      }
      const user = await createUser(tx, person, new URL(baseUrl).hostname)
      users.set(key, user)
    }
    if (kind === 'demo') await makeDemoChannels(tx, users, now)
  })
}

async function makeDemoChannels(tx: Tx, users: ReadonlyMap<string, User>, now: number): Promise<void> {
  const usersOf = (keys: readonly string[]): User[] => keys.flatMap((key) => users.get(key) ?? [])
  for (const { name, description, isPrivate, subscribers, lateSubscribers, messages } of DEMO_CHANNELS) {
    const newChannel: NewChannel = {
      name,
      description,
      renderedDescription: renderDescription(description),
      creatorId: users.get('owner')?.id ?? null,
      createdAt: now,
      inviteOnly: isPrivate,
      historyPublicToSubscribers: !isPrivate,
      messageRetentionDays: null,
      topicsPolicy: 'inherit',
    }
    const channel = await insertChannel(tx, newChannel)
    if (!channel) throw new Error(`the demo channel ${name} exists already`)
    if (!isPrivate) await tx.defaultChannels.add([channel.id])
    await subscribeUsers(tx, [channel], usersOf(subscribers))
    for (const { from, topic, content } of messages) {
      const [author] = usersOf([from])
      if (!author) throw new Error(`the demo has no account ${from}`)
      const sender = asActor(author)
      const request = {
        destination: { kind: 'channel' as const, channel: channel.id, topic },
        content,
        rendered: await renderContent(tx, sender, content, { rendering: renderingHere }),
        alertedUserIds: [],
        client: 'Parley',
        isReadBySender: true,
        local: undefined,
      }
      await sendMessage(tx, sender, request)
    }
    if (lateSubscribers.length > 0) {
      await subscribeUsers(tx, await tx.channels.byIds([channel.id]), usersOf(lateSubscribers))
    }
  }
}

/**
 * Returns the credentials of the first start; undefined if the file was removed.
 *
 * @throws {Error} if the file cannot be read or is damaged
 */
export function readCredentials(file: string): DemoCredentials | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isCredentials(content)) return content
    throw new Error('it holds no credentials')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
}

function isCredentials(content: unknown): content is DemoCredentials {
  if (typeof content !== 'object' || content === null) return false
  const { base_url: baseUrl, users } = content as { base_url?: unknown; users?: unknown }
  if (typeof baseUrl !== 'string' || typeof users !== 'object' || users === null || Array.isArray(users)) return false
  return Object.values(users).every((login) => typeof login?.email === 'string' && typeof login.api_key === 'string')
}

/** Writes the server's present address into the file, if it differs. */
export function updateBaseUrl(file: string, credentials: DemoCredentials, baseUrl: string): void {
  if (credentials.base_url === baseUrl) return
  writeWhole(file, `${JSON.stringify({ ...credentials, base_url: baseUrl }, null, 2)}\n`)
}

/** Returns a zuliprc in the form that existing clients read. */
export function zuliprc(credentials: DemoCredentials, key: string): string | undefined {
  const login = credentials.users[key]
  return login && `[api]\nemail=${login.email}\nkey=${login.api_key}\nsite=${credentials.base_url}`
}
