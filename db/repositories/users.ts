import type { EventId, UserId } from '../../domain/ids.ts'
import { emailKey, nameKey } from '../../domain/text/text-keys.ts'
import type { VisibilitySettings } from '../../domain/topics/topic-visibility.ts'
import { type EmailVisibility, SHOWN_TO_ALL } from '../../domain/users/email-visibility.ts'
import { ROLE, type Role, type RoleHistory } from '../../domain/users/roles.ts'
import { avatarSource, type BotType, type User } from '../../domain/users/user.ts'
import { type UserSettingName, type UserSettings, userSettings } from '../../domain/users/user-settings.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { isUniqueViolation } from '../dialect.ts'
import { rowsFor, rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'
import { COLUMNS, fromRow, type UserRow } from './user-rows.ts'

/** Excludes system bots, which are not accounts of the organization: no list has them, and nobody can manage them. */
const IS_ACCOUNT = 'is_system_bot = 0'

export class UserReader extends Repository {
  /** Returns all accounts, including deactivated ones, by ascending ID; in pages. */
  all(pauses = new Pauses()): Promise<User[]> {
    return rowsInPages(this.session, { sql: `select ${COLUMNS} from user where ${IS_ACCOUNT}` }, fromRow, pauses)
  }

  /** Returns bots of this owner, including deactivated ones, by ascending ID. */
  async botsOf(ownerId: UserId): Promise<User[]> {
    const rows = await this.session.all<UserRow>(`select ${COLUMNS} from user where bot_owner_id = ? order by id`, [
      ownerId,
    ])
    return rows.map(fromRow)
  }

  /** Returns system bots by ascending ID: they send messages, and are not accounts of the organization. */
  async systemBots(): Promise<User[]> {
    const rows = await this.session.all<UserRow>(`select ${COLUMNS} from user where is_system_bot = 1 order by id`)
    return rows.map(fromRow)
  }

  /** Returns undefined if it does not exist. A prepared statement, because every write begins with it. */
  async byId(id: UserId): Promise<User | undefined> {
    const row = await this.session.get<UserRow>(`select ${COLUMNS} from user where id = ? and ${IS_ACCOUNT}`, [id])
    return row && fromRow(row)
  }

  /** Returns those of `ids` that exist, by ascending ID. One query for each PAGE, with others served in between. */
  async byIds(ids: readonly UserId[], pauses = new Pauses()): Promise<User[]> {
    return this.#whereIn('id', ids, pauses)
  }

  /** Returns accounts whose real address is one of `emails`, regardless of case (AUTH-20). Queries as for byIds. */
  async byEmails(emails: readonly string[]): Promise<User[]> {
    return this.#whereIn('email_key', emails.map(emailKey), new Pauses())
  }

  async #whereIn(column: 'id' | 'email_key', values: readonly (number | string)[], pauses: Pauses): Promise<User[]> {
    const sql = (list: string) => `select ${COLUMNS} from user where ${IS_ACCOUNT} and ${column} in ${list}`
    const users = await pauses.map(await rowsFor<UserRow>(this.session, values, sql, { pauses }), fromRow)
    return users.sort((a, b) => a.id - b.id)
  }

  /**
   * Returns accounts and system bots that a mention may mean, by full name regardless of case, or by ID. Active ones
   * first, by ascending ID. One query.
   */
  async mentionable(names: readonly string[], ids: readonly number[]): Promise<User[]> {
    if (names.length === 0 && ids.length === 0) return []
    const rows = await this.session
      .knex<UserRow>('user')
      .select()
      .where((either) => either.whereIn('full_name_key', names.map(nameKey)).orWhereIn('id', [...ids]))
      .orderBy([{ column: 'is_active', order: 'desc' }, 'id'])
    return rows.map(fromRow)
  }

  /**
   * Returns the settings of people among `ids` for topics in which they are mentioned or to which they send; bots have
   * no entry. Queries as for byIds.
   */
  async visibilitySettings(ids: readonly UserId[]): Promise<Map<UserId, VisibilitySettings>> {
    const pauses = new Pauses()
    const sql = (list: string) => `select id, settings from user where is_bot = 0 and id in ${list}`
    const rows = await rowsFor<{ id: UserId; settings: string }>(this.session, ids, sql, { pauses })
    return new Map(await pauses.map(rows, (row) => [row.id, userSettings(JSON.parse(row.settings))]))
  }

  /** Returns accounts whose real address not everybody sees, including deactivated ones, by ascending ID; in pages. */
  hidingEmail(): Promise<User[]> {
    const sql = `select ${COLUMNS} from user where email_visibility <> ${SHOWN_TO_ALL} and ${IS_ACCOUNT}`
    return rowsInPages(this.session, { sql }, fromRow, new Pauses())
  }

  /** Returns active owners and administrators by ascending ID. */
  async administratorIds(): Promise<UserId[]> {
    const rows = await this.session.all<{ id: UserId }>(
      'select id from user where role <= ? and is_active = 1 order by id',
      [ROLE.administrator],
    )
    return rows.map((row) => row.id)
  }

  /** Returns active members who joined later than `after` and not later than `upTo`, by ascending ID. */
  async membersJoinedBetween(after: number, upTo: number): Promise<UserId[]> {
    const rows = await this.session.all<{ id: UserId }>(
      'select id from user where role = ? and is_active = 1 and is_system_bot = 0 and date_joined > ? and date_joined <= ? order by id',
      [ROLE.member, after, upTo],
    )
    return rows.map((row) => row.id)
  }

  /** Returns those of `ids` that are active bots and no guests. Queries as for byIds. */
  async botsAmong(ids: readonly UserId[]): Promise<UserId[]> {
    const sql = (list: string) =>
      `select id from user where is_bot = 1 and is_active = 1 and role <> ${ROLE.guest} and ${IS_ACCOUNT} and id in ${list}`
    return (await rowsFor<{ id: UserId }>(this.session, ids, sql)).map(({ id }) => id)
  }

  /** Counts active accounts, including bots, up to `limit`. */
  async countActive(limit: number): Promise<number> {
    const row = await this.session.get<{ count: number }>(
      `select count(*) as count from (select id from user where is_active = 1 and ${IS_ACCOUNT} limit ?) as counted`,
      [limit],
    )
    return row?.count ?? 0
  }

  /** Returns active owners. */
  async activeOwnerIds(): Promise<UserId[]> {
    const rows = await this.session.all<{ id: UserId }>(
      'select id from user where role = ? and is_active = 1 and is_bot = 0 order by id',
      [ROLE.owner],
    )
    return rows.map((row) => row.id)
  }

  /** Whether an active account other than `except`, or a bot, has this name, regardless of case. */
  async isNameTaken(
    fullName: string,
    { except, ofBots = false }: { readonly except: UserId | undefined; readonly ofBots?: boolean },
  ): Promise<boolean> {
    const row = await this.session.get(
      `select 1 from user where full_name_key = ? and is_active = 1 and id <> ? ${ofBots ? 'and is_bot = 1' : ''} limit 1`,
      [nameKey(fullName), except ?? 0],
    )
    return row !== undefined
  }

  /** Returns present and former roles in one statement, so that both are from the same moment. Queries as for byIds. */
  async roleHistories(ids: readonly UserId[]): Promise<Map<UserId, RoleHistory>> {
    const rows = await rowsFor<{ id: UserId; role: Role; former_role: Role | null; to_event_id: number }>(
      this.session,
      ids,
      (list) => `select u.id, u.role, c.former_role, c.to_event_id from user u
        left join role_change c on c.user_id = u.id where u.id in ${list} order by c.id`,
    )
    const histories = new Map<UserId, { role: Role; former: { role: Role; toEventId: number }[] }>()
    for (const row of rows) {
      const history = histories.get(row.id) ?? { role: row.role, former: [] }
      histories.set(row.id, history)
      if (row.former_role !== null) history.former.push({ role: row.former_role, toEventId: row.to_event_id })
    }
    return histories
  }

  /** Returns the effective settings of each of `ids` that exists. Queries as for byIds. */
  async settings(ids: readonly UserId[], pauses = new Pauses()): Promise<Map<UserId, UserSettings>> {
    const rows = await rowsFor<Pick<UserRow, 'timezone' | 'email_visibility'> & { id: UserId; settings: string }>(
      this.session,
      ids,
      (list) => `select id, timezone, email_visibility, settings from user where id in ${list}`,
      { pauses },
    )
    return new Map(
      await pauses.map(rows, (row) => {
        const stored = JSON.parse(row.settings) as Partial<UserSettings>
        const visibility = row.email_visibility as EmailVisibility
        const all = userSettings({ ...stored, timezone: row.timezone, email_address_visibility: visibility })
        return [row.id, all]
      }),
    )
  }

  /** Returns the names of settings that the user has changed; undefined if unknown. */
  async editedSettings(id: UserId): Promise<UserSettingName[] | undefined> {
    const row = await this.session.get<{ names: string | null }>(
      'select edited_settings as names from user where id = ?',
      [id],
    )
    return row?.names ? (JSON.parse(row.names) as UserSettingName[]) : undefined
  }

  /** @throws if the user does not exist */
  async settingsOf(id: UserId): Promise<UserSettings> {
    const settings = (await this.settings([id])).get(id)
    if (!settings) throw new Error(`user ${id} does not exist`)
    return settings
  }
}

export interface NewUser {
  /** Used only if IDs are known in advance, in a database without accounts. */
  readonly id?: UserId
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly isBot: boolean
  /** Only for bots; generic by default. */
  readonly botType?: BotType
  readonly botOwnerId: UserId | null
  readonly canCreateUsers: boolean
  /** False by default. */
  readonly canChangeUserEmails?: boolean
  readonly dateJoined: number
  /** Null for accounts without a password, such as bots. */
  readonly passwordHash: string | null
  readonly apiKeyHash: string
  readonly apiKeyEncrypted: string
}

/** Changes of an account; absent fields stay. */
export interface UserChange {
  readonly email?: string
  /** Both change together. */
  readonly hidden?: Pick<User, 'emailVisibility' | 'standInEmail'>
  /** A changed picture has a new version. */
  readonly avatar?: Pick<User, 'avatarKey' | 'avatarVersion'>
  readonly fullName?: string
  readonly role?: Role
  readonly isActive?: boolean
  readonly botOwnerId?: UserId
  readonly passwordHash?: string
  /** When an imported account was first used, in UNIX seconds. */
  readonly firstLogIn?: number
}

export class UserWriter extends UserReader {
  /** Creates a system bot, with a key hash that no key matches, and without a password. */
  async insertSystemBot({ email, fullName }: Pick<User, 'email' | 'fullName'>, dateJoined: number): Promise<void> {
    await this.session.knex('user').insert({
      email,
      email_key: emailKey(email),
      full_name: fullName,
      full_name_key: nameKey(fullName),
      role: ROLE.member,
      is_active: true,
      is_bot: true,
      is_system_bot: true,
      bot_type: 1,
      bot_owner_id: null,
      can_create_users: false,
      timezone: '',
      avatar_source: 'G',
      avatar_version: 1,
      date_joined: dateJoined,
      password_hash: null,
      api_key_hash: `none: ${email}`,
      api_key_encrypted: '',
      read_through: 0,
      settings: '{}',
    })
  }

  /** Returns undefined if the address is taken. */
  async insert(user: NewUser): Promise<User | undefined> {
    try {
      const [id] = await this.session.knex('user').insert({
        ...(user.id !== undefined && { id: user.id }),
        email: user.email,
        email_key: emailKey(user.email),
        full_name: user.fullName,
        full_name_key: nameKey(user.fullName),
        role: user.role,
        is_active: true,
        is_bot: user.isBot,
        bot_type: user.isBot ? (user.botType ?? 1) : null,
        bot_owner_id: user.botOwnerId,
        can_create_users: user.canCreateUsers,
        can_change_user_emails: user.canChangeUserEmails ?? false,
        timezone: '',
        avatar_source: 'G',
        avatar_version: 1,
        date_joined: user.dateJoined,
        password_hash: user.passwordHash,
        api_key_hash: user.apiKeyHash,
        api_key_encrypted: user.apiKeyEncrypted,
        read_through: 0,
        settings: '{}',
        edited_settings: '[]',
      })
      const [inserted] = await this.byIds([id as UserId])
      return inserted
    } catch (err) {
      if (isUniqueViolation(err)) return undefined
      throw err
    }
  }

  /** Returns false if the new address is taken. */
  async update(id: UserId, change: UserChange): Promise<boolean> {
    const { email, hidden, avatar, fullName, role, isActive, botOwnerId, passwordHash, firstLogIn } = change
    try {
      await this.session
        .knex('user')
        .where({ id })
        .update({
          ...(email !== undefined && { email, email_key: emailKey(email) }),
          ...(hidden && { email_visibility: hidden.emailVisibility, stand_in_email: hidden.standInEmail }),
          ...(avatar && {
            avatar_source: avatarSource(avatar),
            avatar_key: avatar.avatarKey,
            avatar_version: avatar.avatarVersion,
          }),
          ...(fullName !== undefined && { full_name: fullName, full_name_key: nameKey(fullName) }),
          ...(role !== undefined && { role }),
          ...(isActive !== undefined && { is_active: isActive }),
          ...(botOwnerId !== undefined && { bot_owner_id: botOwnerId }),
          ...(passwordHash !== undefined && { password_hash: passwordHash }),
          ...(firstLogIn !== undefined && { is_imported_stub: false, date_joined: firstLogIn }),
        })
      return true
    } catch (err) {
      if (isUniqueViolation(err)) return false
      throw err
    }
  }

  /** Records that `formerRole` ended with the event `toEventId`. */
  async insertRoleChange(userId: UserId, formerRole: Role, toEventId: EventId): Promise<void> {
    await this.session.run('insert into role_change (user_id, former_role, to_event_id) values (?, ?, ?)', [
      userId,
      formerRole,
      toEventId,
    ])
  }

  /** Records which settings the user has changed. */
  async setEditedSettings(id: UserId, names: readonly UserSettingName[]): Promise<void> {
    await this.session.run('update user set edited_settings = ? where id = ?', [
      JSON.stringify([...new Set(names)]),
      id,
    ])
  }

  /** Merges `changes` into the stored settings. Visibility of the address is not among them: {@link update}. */
  async updateSettings(
    id: UserId,
    { timezone, ...changes }: Partial<Omit<UserSettings, 'email_address_visibility'>>,
  ): Promise<void> {
    const row = await this.session.get<{ timezone: string; settings: string }>(
      'select timezone, settings from user where id = ?',
      [id],
    )
    if (!row) throw new Error(`user ${id} does not exist`)
    const stored = JSON.stringify({ ...(JSON.parse(row.settings) as Partial<UserSettings>), ...changes })
    await this.session.run('update user set timezone = ?, settings = ? where id = ?', [
      timezone ?? row.timezone,
      stored,
      id,
    ])
  }
}
