import { randomBytes } from 'node:crypto'
import { AnswerSchemas } from '../wire/answer-schemas.ts'
import { type Contract, contractOf, holds, minimumRoleAt, type Operation, type Role } from '../wire/contract.ts'
import { ExchangeFeed } from '../wire/exchange-feed.ts'
import type { Exchange, Http, Login, Request } from '../wire/http.ts'
import { Refusals } from '../wire/refusals.ts'
import { requestValues } from '../wire/request-values.ts'
import { isRefused, listOf } from '../wire/values.ts'
import { Account, operationNamed, requestOf, roleOf, SetUpError, type Values } from './account.ts'
import { ChangedSettings } from './changed-settings.ts'
import { type Claims, claimsOf } from './claims.ts'
import { settingsBehind } from './closed-settings.ts'
import { CannotRunError } from './credentials.ts'
import { letGo, type MadeChannel, type NewChannel, removeDefaultGroups } from './leaving.ts'
import { MadeThings } from './made-things.ts'
import { removePictures } from './organization-pictures.ts'
import type { PushRelay } from './push-relay.ts'
import { StandIn } from './stand-in.ts'
import { unusualSettings } from './unusual-settings.ts'

/** The description of every channel that the suite creates; it contains Markdown, so that its HTML differs. */
export const channelDescription = 'Made by a **conformance** test.'

/** Returns that many unpredictable bytes. */
export type RandomBytes = (count: number) => Buffer

/** Things that a run leaves behind because the API cannot remove them or refused to. */
export type Remains = readonly string[]

/** The only operation that the operator of a Parley server can open or close. */
const METRICS = 'get-metrics'

export const rank: Readonly<Record<Role, number>> = {
  anonymous: 0,
  guest: 1,
  member: 2,
  moderator: 3,
  administrator: 4,
  owner: 5,
}

/** The server under test: its claims, the suite's accounts on it, and what the suite has created there. */
export class Deployment {
  readonly contract: Contract
  readonly level: number
  readonly isParley: boolean
  readonly answers: AnswerSchemas
  /** The refusals in this run so far. */
  readonly refusals: Refusals
  /** Announces all exchanges of the run to its listeners. */
  readonly feed: ExchangeFeed
  /** The accounts from the credentials. */
  readonly given: readonly Account[]
  /** Controls the server, if it was started for tests. */
  readonly standIn: StandIn | undefined
  /** The server's push service, if that is the suite itself. */
  pushRelay: PushRelay | undefined
  /** Why users cannot be created here; undefined while they can. */
  noUsers: string | undefined
  /** The answer to a request to create a user if it was neither success nor refusal: then the server is at fault. */
  userFailure: SetUpError | undefined
  /** The account that can create users; unknown until the first one was created. */
  userMaker: Account | undefined
  readonly #http: Http
  /** Part of every name that this run creates, and of no other name. */
  readonly #suffix: string
  readonly #random: RandomBytes
  readonly #channels: MadeChannel[] = []
  /** Ids of archived channels; a channel that was unarchived is in the list of channels again. */
  readonly #archived = new Set<number>()
  readonly #things = new MadeThings()
  /** Settings that the run has changed. */
  readonly settings = new ChangedSettings()
  readonly #idsByKey = new Map<string, number>()
  readonly #idsByEmail = new Map<string, number>()
  /** Credentials of the people whom this run has created. */
  readonly made: Login[] = []
  #unusualSettings: Promise<Values> | undefined
  /** Created to find out whether users can be created; given to the first check that needs one. */
  #spare: Account | undefined
  /** Settled when nobody is creating or removing owners. */
  #owners: Promise<unknown> = Promise.resolve()
  readonly #areMetricsForUs: boolean
  #count = 0

  /** Takes a server that was opened already, or that nobody asks. */
  constructor(
    http: Http,
    contract: Contract,
    { refusals, feed }: { refusals: Refusals; feed: ExchangeFeed },
    claims: Claims,
    given: readonly Account[],
    random: RandomBytes,
  ) {
    this.#http = http
    this.#random = random
    this.#suffix = random(4).toString('hex')
    this.contract = contract
    this.refusals = refusals
    this.feed = feed
    this.level = claims.level
    this.isParley = claims.isParley
    this.#areMetricsForUs = claims.areMetricsForUs
    this.standIn = claims.isStandIn ? new StandIn(http) : undefined
    this.answers = AnswerSchemas.at(contract, Math.min(claims.level, contract.level), claims.isParley)
    this.given = given
    for (const account of given) this.#know(account)
    feed.listen((exchange, operation) => {
      this.#things.heard(exchange, operation)
      this.settings.heard(exchange, operation)
      if (operation?.id === 'archive-stream' && exchange.status === 200)
        this.#archived.add(Number(requestValues(operation, exchange.request).get('stream_id')))
    })
  }

  /**
   * @param refusals collects the refusals that `http` receives
   * @param random for names and passwords
   * @throws {CannotRunError} if there is no such server, or one of `logins` does not work there
   */
  static async open(
    http: Http,
    contract: Contract,
    logins: readonly Login[],
    refusals = new Refusals(),
    feed = new ExchangeFeed(contract),
    random: RandomBytes = randomBytes,
  ): Promise<Deployment> {
    const claims = await claimsOf(http)
    const theirs = contractOf(contract, claims)
    const given: Account[] = []
    const reasons: string[] = []
    for (const login of logins) {
      const profile = await http.send({ method: 'GET', path: '/api/v1/users/me', as: login, caller: 'user' })
      if (profile.status === 200 && Number.isInteger(profile.body?.user_id))
        given.push(accountOf(http, theirs, login, profile))
      else reasons.push(`${login.email}: HTTP ${profile.status} ${profile.text.slice(0, 200)}`)
    }
    if (reasons.length > 0)
      throw new CannotRunError(`credentials do not work at ${http.url}\n  ${reasons.join('\n  ')}`)
    return new Deployment(http, theirs, { refusals, feed }, claims, given, random)
  }

  get url(): string {
    return this.#http.url
  }

  /** Whether answers have shown a rate limit for accounts. */
  get isLimited(): boolean {
    return this.#http.isLimited
  }

  /** How long to repeat a question whose answer may take time, in milliseconds. */
  get waitMs(): number {
    return this.#http.waitMs
  }

  get requests(): number {
    return this.#http.requests
  }

  /** The id of the user with these credentials; undefined if no account has them. */
  userIdOf({ email, apiKey }: Login): number | undefined {
    const id = this.#idsByKey.get(apiKey)
    return id !== undefined && this.#byEmail(email) === id ? id : undefined
  }

  /** The id of a known account, by id or address. Other ids and stand-in addresses give the id they contain. */
  idOf(idOrAddress: unknown): number | undefined {
    const id = Number(idOrAddress)
    if (Number.isInteger(id)) return id
    const [, standsFor] = /^user(\d+)@/i.exec(String(idOrAddress)) ?? []
    return standsFor === undefined ? this.#byEmail(String(idOrAddress)) : Number(standsFor)
  }

  #byEmail(email: string): number | undefined {
    return this.#idsByEmail.get(email.trim().toLowerCase())
  }

  #know({ login, userId }: Account): void {
    this.#idsByKey.set(login.apiKey, userId)
    this.#idsByEmail.set(login.email.toLowerCase(), userId)
  }

  /** Text that nothing else on this server has. */
  unique(prefix: string): string {
    this.#count += 1
    return `${prefix} ${this.#suffix} ${this.#count}`
  }

  /** Whether {@link unique} has made the name or a part of it. */
  isOfThisRun(name: unknown): boolean {
    return String(name).includes(this.#suffix)
  }

  /** Whether the contract has this operation, and it is called on this server. */
  isAsked(operationId: string): boolean {
    const operation = this.contract.operations.get(operationId)
    return operation !== undefined && this.notAsked(operation) === undefined
  }

  /** Why an operation is not called on this server; undefined if it is. */
  notAsked(operation: Operation): string | undefined {
    const { levels, parleyOnly, endsService } = operation
    if (endsService) return 'would end the service for all other requests'
    const minimumRole = minimumRoleAt(operation, this.level)
    if (!holds(levels, this.level)) {
      return `exists ${levels.from === undefined ? '' : `from level ${levels.from} `}${levels.until === undefined ? '' : `until level ${levels.until} `}only; this server is at ${this.level}`
    }
    if (parleyOnly && !this.isParley) return 'is an operation of Parley only'
    if (operation.id === METRICS && !this.#areMetricsForUs) return 'needs a token of this server'
    if (this.atLeast(minimumRole) === undefined) return `needs the credentials of a person with the role ${minimumRole}`
    return undefined
  }

  /** A given account with this role, or else the one with the lowest role above it. */
  atLeast(role: Role): Account | undefined {
    return this.given
      .filter((account) => !account.isBot && rank[account.role] >= rank[role])
      .toSorted((one, other) => rank[one.role] - rank[other.role])[0]
  }

  /** Why the answers of an existing operation are not checked; undefined if they are. */
  notDocumented({ undocumented }: Operation): string | undefined {
    return undocumented && !this.isParley ? 'is documented by Parley alone, and this server is another one' : undefined
  }

  send(request: Omit<Request, 'as' | 'caller'>, as?: Pick<Request, 'caller' | 'isStranger'> & { login: Login }) {
    const { login, ...caller } = as ?? { login: undefined, caller: 'nobody' }
    return this.#http.send({ ...request, ...caller, as: login })
  }

  /** Like `send`, but does not repeat the request after a 429. */
  sendAtOnce(request: Omit<Request, 'as' | 'caller'>, as?: Pick<Request, 'caller' | 'isStranger'> & { login: Login }) {
    const { login, ...caller } = as ?? { login: undefined, caller: 'nobody' }
    return this.#http.sendOnce({ ...request, ...caller, as: login })
  }

  async canMakeUsers(): Promise<boolean> {
    this.#spare ??= await this.newUser()
    return this.#spare !== undefined
  }

  /** A member whom no check has used, possibly created earlier; undefined in the same case as {@link newUser}. */
  async unusedUser(): Promise<Account | undefined> {
    const spare = this.#spare
    this.#spare = undefined
    return spare ?? this.newUser()
  }

  /**
   * Creates a member; undefined if users cannot be created, and then `noUsers` says why.
   *
   * @param isAsMade whether to keep the organization's own settings for new accounts, on which checks cannot rely
   */
  async newUser(isAsMade = false): Promise<Account | undefined> {
    if (this.noUsers !== undefined) return undefined
    const fullName = this.unique('Conformance User')
    const email = `${fullName.toLowerCase().replaceAll(' ', '-')}@conformance.example`
    const password = this.#random(12).toString('base64url')
    const made = await this.#makeUser({ email, password, full_name: fullName })
    if (made === undefined) return undefined
    const request = requestOf(operationNamed(this.contract, 'fetch-api-key'), { username: email, password })
    const key = await this.send(request)
    if (key.status !== 200 || typeof key.body?.api_key !== 'string') {
      this.noUsers = `POST /fetch_api_key answered HTTP ${key.status}: ${key.text.slice(0, 200).trim()}`
      this.#noteFailure('fetch-api-key', key)
      return undefined
    }
    const login = { email: String(key.body.email), apiKey: String(key.body.api_key) }
    this.made.push(login)
    const profile = { userId: Number(made.body.user_id), role: 'member', isBot: false, fullName, password } as const
    const account = new Account(this.#http, this.contract, login, profile)
    this.#know(account)
    this.#unusualSettings ??= unusualSettings(this.given)
    const unusual = await this.#unusualSettings
    if (!isAsMade && Object.keys(unusual).length > 0) await account.call('update-settings', unusual)
    return account
  }

  /** Owners are tried first, because only they may have the right to create users. */
  async #makeUser(values: Values): Promise<Exchange | undefined> {
    let reason = 'the credentials have no administrator'
    const makers = this.given.filter(({ isBot, role }) => !isBot && rank[role] >= rank.administrator)
    for (const maker of makers.toSorted((one, other) => rank[other.role] - rank[one.role])) {
      const made = await maker.call('create-user', values)
      if (made.status === 200 && Number.isInteger(made.body?.user_id)) {
        this.userMaker = maker
        return made
      }
      reason = `POST /users answered HTTP ${made.status}: ${made.text.slice(0, 200).trim()}`
      this.#noteFailure('create-user', made)
    }
    this.noUsers = reason
    return undefined
  }

  #noteFailure(operationId: string, exchange: Exchange): void {
    const isRefusal = exchange.status >= 400 && isRefused(exchange)
    if (!isRefusal) this.userFailure ??= new SetUpError(operationId, exchange)
  }

  /** Runs `work`, which creates or removes owners, while no other check does. */
  whileOwnersStay<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#owners.then(work)
    this.#owners = done.catch(() => undefined)
    return done
  }

  /** Creates a channel to which `creator` and `others` are subscribed; `wishes` are more parameters. */
  async newChannel(
    creator: Account,
    others: readonly Account[] = [],
    isPrivate = false,
    wishes: Values = {},
  ): Promise<NewChannel> {
    const values = {
      principals: [creator, ...others].map(({ userId }) => userId),
      ...(isPrivate && { invite_only: true }),
      ...wishes,
    }
    const { made, channel } = await this.tryChannel(creator, 'conformance', values)
    if (channel !== undefined) return channel
    const owner = this.atLeast('owner')
    const operation = operationNamed(this.contract, 'subscribe')
    if (owner === undefined || settingsBehind(made, operation, this.settings.before, this.contract).length === 0) {
      throw new SetUpError('subscribe', made)
    }
    // Where members may not make channels, an owner makes one that the creator manages.
    const managed = { can_administer_channel_group: { direct_members: [creator.userId], direct_subgroups: [] } }
    const ofOwner = await this.tryChannel(
      owner,
      'conformance',
      owner.known('subscribe', { ...managed, ...values }),
      creator,
    )
    if (ofOwner.channel === undefined) throw new SetUpError('subscribe', made)
    return ofOwner.channel
  }

  /** Like `newChannel`, but undefined if it is refused. @param prefix of the channel's name */
  async tryChannel(creator: Account, prefix: string, wishes: Values, subscriber = creator) {
    const name = this.unique(prefix)
    const values = { subscriptions: [{ name, description: channelDescription }], ...wishes }
    const made = await creator.call('subscribe', values)
    if (made.status !== 200 || made.body?.result !== 'success') return { made, channel: undefined }
    const listed = await subscriber.must('get-subscriptions')
    const found = (listed.body.subscriptions as Record<string, unknown>[]).find((one) => one.name === name)
    if (!Number.isInteger(found?.stream_id)) throw new SetUpError('get-subscriptions', listed)
    const channel = { id: Number(found?.stream_id), name, maker: creator }
    this.#channels.push(channel)
    return { made, channel }
  }

  /** Deactivates the users, archives the channels and removes all else of this run, also after an interruption. */
  async cleanUp(): Promise<Remains> {
    await this.#http.resume()
    const stay = () => this.#channels.filter(({ id }) => !this.#archived.has(id))
    if (this.isLimited) await letGo(this.#http, stay(), this.made)
    const maker = this.userMaker ?? this.atLeast('administrator') ?? this.atLeast('guest') // who may archive their own
    const admin = maker && this.#mostRested(maker)
    if (admin === undefined) return stay().map(({ name }) => `channel ${name}`)
    // Permissions may name people of this run, so this comes before their end.
    const owner = this.atLeast('owner')
    const remains = owner === undefined ? [] : await this.settings.restore(owner)
    for (const user of listOf((await admin.call('get-users')).body?.members)) {
      if (user.is_active !== true || !this.isOfThisRun(user.full_name)) continue
      // Only owners may deactivate owners.
      const by = roleOf(user.role) === 'owner' ? (this.atLeast('owner') ?? admin) : this.#mostRested(admin)
      const answer = await by.call('deactivate-user', { user_id_or_email: user.user_id })
      if (answer.status !== 200) remains.push(`user ${user.full_name}`)
    }
    // Only administrators see others' private channels in this list; older servers ignore `include_all`.
    const all = await admin.send({ method: 'GET', path: '/api/v1/streams?include_all=true' })
    const listed = (all.status === 200 ? all : await admin.call('get-streams')).body?.streams
    const leaving = new Map(stay().map(({ id, name }) => [id, name]))
    // Includes channels that were unarchived, and channels whose answer was lost in the interruption.
    for (const { stream_id: id, name } of listOf(listed)) {
      if (this.isOfThisRun(name)) leaving.set(id, name)
    }
    const ours = new Set(this.#channels.map(({ id }) => id))
    if (this.isParley) await removeDefaultGroups(admin, (name) => this.isOfThisRun(name), ours)
    await removePictures(this)
    for (const [id, name] of leaving) {
      const answer = await this.#mostRested(admin).send({ method: 'DELETE', path: `/api/v1/streams/${id}` })
      if (answer.status !== 200) remains.push(`channel ${name}`)
    }
    return [...remains, ...(await this.#things.remove(this.atLeast('owner') ?? admin, this.contract))]
  }

  /** The account with the most requests left among `admin` and the given administrators. */
  #mostRested(admin: Account): Account {
    const others = this.given.filter(({ isBot, role }) => !isBot && rank[role] >= rank.administrator)
    return [admin, ...others].reduce((one, other) => (other.requestsLeft > one.requestsLeft ? other : one))
  }
}

function accountOf(http: Http, contract: Contract, login: Login, { body }: Exchange): Account {
  return new Account(http, contract, login, {
    userId: Number(body.user_id),
    role: roleOf(body.role),
    isBot: body.is_bot === true,
    fullName: String(body.full_name),
  })
}
