import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { type Account, LeftOutError, SetUpError, type Values } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { NewChannel } from '../deployment/leaving.ts'
import { makeScene, type Scene, type Scenes, settleGiven } from '../deployment/scene.ts'
import type { StandIn } from '../deployment/stand-in.ts'
import { holdsAt, type Requirements } from '../requirements/requirements.ts'
import type { Operation } from '../wire/contract.ts'
import type { See } from '../wire/exchange-feed.ts'
import { type Exchange, UnreachableError } from '../wire/http.ts'
import { OperationFinder } from '../wire/operation-finder.ts'
import { isServerFailure, listing, type Refusal } from '../wire/refusals.ts'
import { isRefused } from '../wire/values.ts'
import { type Finding, findingOf } from './finding.ts'
import { isFormerCode, isOneCodeForAll } from './former-codes.ts'
import { OpenQueues } from './open-queues.ts'
import { ownRules, rulesOfParley } from './own-rules.ts'

export interface Randomness {
  readonly seed: number
  /** Path of the counterexample to start with. */
  readonly path: string | undefined
  readonly numRuns: number
  /** Maximum time for shrinking a counterexample, in milliseconds. */
  readonly shrinkMs: number
}

/** Number of answers kept, to show what was wrong when a check cannot go on. */
const mostRecent = 12

/** A check needs people with at least this many requests left; most checks send no more. */
const fewRequests = 60

/** A check's statement about an answer. */
export interface Expectation {
  /** Id of the check. */
  readonly check: string
  readonly requirement: string
  /** In words. */
  readonly expected: string
  readonly exchange: Exchange
  readonly isMet: boolean
}

interface NamedCheck {
  readonly id: string
  readonly requirements: readonly string[]
  readonly also?: readonly string[]
  readonly conditional?: readonly string[]
}

/** The tools of a check. It collects expectations, so that one run reports everything that is wrong. */
export class CheckContext {
  readonly deployment: Deployment
  readonly findings: Finding[] = []
  readonly deviations: Finding[] = []
  readonly queues = new OpenQueues()
  readonly asserted = new Set<string>()
  /** Requirements of the check that do not hold at the server's level. */
  readonly notYet = new Set<string>()
  /** Rules of the check that only hold for Parley, if the server is another one. */
  readonly notTheirs = new Set<string>()
  /** Things that the check went without, with the reasons. */
  readonly remarks = new Set<string>()
  /** Whether it ran for generated values, so that it can run for more of them. */
  usesValues = false
  /** The answer behind the first finding. */
  blamed: Exchange | undefined
  readonly #check: NamedCheck
  readonly #requirements: Requirements
  readonly #random: Randomness
  readonly #scenes: Scenes
  readonly #onExpectation: ((expectation: Expectation) => void) | undefined
  /** The check's scene, once it was asked for. */
  #scene: Promise<Scene> | undefined
  /** The last answers, the newest at the end. */
  readonly #recent: Exchange[] = []
  /** Given accounts that are used by this check. */
  readonly #taken = new Set<Account>()

  constructor(
    check: NamedCheck,
    deployment: Deployment,
    requirements: Requirements,
    random: Randomness,
    scenes: Scenes,
    onExpectation?: (expectation: Expectation) => void,
  ) {
    this.#check = check
    this.deployment = deployment
    this.#requirements = requirements
    this.#random = random
    this.#scenes = scenes
    this.#onExpectation = onExpectation
  }

  get level(): number {
    return this.deployment.level
  }

  get isParley(): boolean {
    return this.deployment.isParley
  }

  /**
   * Checks an answer against a requirement of this check. Does nothing if the requirement, or the `part` of it, does
   * not hold at the server's level.
   *
   * @param expected the right answer in words, shown in the report beside the actual one
   * @returns whether the answer is right
   */
  that(id: string, exchange: Exchange, isAsExpected: boolean, expected: string, part?: string): boolean {
    const says = this.#sentence(id)
    const requirement = this.#requirements.all.get(id)
    if (requirement !== undefined && !holdsAt(requirement, this.level, part)) {
      this.notYet.add(id)
      return true
    }
    if (!this.isParley && rulesOfParley.has(id)) {
      this.notTheirs.add(id)
      return true
    }
    this.asserted.add(id)
    this.#onExpectation?.({ check: this.#check.id, requirement: id, expected, exchange, isMet: isAsExpected })
    if (isAsExpected) return true
    this.blamed ??= exchange
    this.findings.push(findingOf(id, says, expected, exchange))
    return false
  }

  /** Checks a success that has no fields of its own. Servers of later levels may have added some. */
  bareSuccess(id: string, exchange: Exchange): boolean {
    const { status, body } = exchange
    const isNewer = this.level > this.deployment.contract.level
    const names = Object.keys(body ?? {}).toSorted()
    const isBare = status === 200 && (isNewer ? body?.result === 'success' : names.join() === 'msg,result')
    return this.that(id, exchange, isBare, '`result` and `msg` alone')
  }

  /**
   * Like `that`, but a wrong answer from another server is a deviation, because `note` documents that other servers
   * differ.
   *
   * @param isKnown whether the answer differs as the note allows; any other difference is a failure everywhere
   */
  thatOrDeviates(
    note: string,
    id: string,
    exchange: Exchange,
    isAsExpected: boolean,
    expected: string,
    isKnown = true,
  ): boolean {
    const isAllowed = !this.isParley && !isAsExpected && isKnown
    if (!isAllowed) return this.that(id, exchange, isAsExpected, expected)
    if (this.that(id, exchange, true, expected) && this.asserted.has(id)) this.deviates(note, exchange, expected)
    return false
  }

  /**
   * Checks a refusal against Parley's text. Other servers only need to refuse, since their texts are translated and not
   * part of the contract. The requirement says `(text of Parley)`.
   */
  refusedWith(id: string, exchange: Exchange, msg: string): boolean {
    if (!this.#requirements.all.get(id)?.isTextOfParley) throw new Error(`${id} says nothing of a text of Parley`)
    if (!this.isParley) return this.that(id, exchange, isRefused(exchange), 'a refusal')
    return this.that(id, exchange, exchange.body?.msg === msg, `\`msg\` is "${msg}"`)
  }

  /** Reports behaviour in which deployed servers differ from the contract, as the note or own rule `id` allows. */
  deviates(id: string, exchange: Exchange, expected: string): void {
    const says = this.#requirements.notes.get(id) ?? ownRules.get(id)
    if (says === undefined) throw new Error(`there is no note ${id}`)
    if (!this.deviations.some((one) => one.requirement === id && one.expected === expected)) {
      this.deviations.push(findingOf(id, says, expected, exchange))
    }
  }

  /** Gets every answer during the check. */
  heard(exchange: Exchange): void {
    this.#recent.push(exchange)
    if (this.#recent.length > mostRecent) this.#recent.shift()
    this.queues.heard(exchange)
  }

  /**
   * The server's fault that stopped a check: a failed preparation, no answer, or an answer that does not match the
   * contract. Undefined if the suite itself was at fault.
   */
  faultBehind(err: unknown): Finding | undefined {
    if (err instanceof SetUpError) {
      this.blamed ??= err.exchange
      return this.#finding('CONTRACT-SUCCESS', err.exchange, err.message)
    }
    if (err instanceof UnreachableError) {
      return { requirement: 'CONTRACT-SUCCESS', says: ownRules.get('CONTRACT-SUCCESS') ?? '', expected: err.message }
    }
    const finder = OperationFinder.of(this.deployment.contract)
    for (const exchange of this.#recent.toReversed()) {
      const { request, status, body } = exchange
      const operation = finder.of(request)
      if (isServerFailure(operation, exchange)) {
        return this.#finding('CONTRACT-FAILURE', exchange, 'an HTTP status below 500')
      }
      const problem = operation && this.deployment.answers.problem(operation, status, body)
      if (problem !== undefined) {
        return this.#finding('CONTRACT-ANSWER', exchange, `an answer as the contract describes it; but ${problem}`)
      }
    }
    return undefined
  }

  #finding(rule: string, exchange: Exchange, expected: string): Finding {
    return findingOf(rule, ownRules.get(rule) ?? '', expected, exchange)
  }

  /** Checks every refusal during the check. */
  refused(refusal: Refusal): void {
    const { operation, exchange } = refusal
    const kind = listing(refusal)
    if (kind === 'listed' || isFormerCode(this, refusal.code) || isOneCodeForAll(this, exchange)) return
    const names = operation.errors.map((answer) => `${answer.status} ${answer.code}`).join(', ')
    const expected = `one of the refusals that the contract lists for ${operation.id}: ${names}`
    // Only Parley's document lists an operation's codes, except for the few that contract and requirements name.
    const known = kind === 'other code' && this.isParley ? this.findings : this.deviations
    if (known.some((one) => one.expected === expected)) return
    known.push(this.#finding('CONTRACT-CODE', exchange, expected))
  }

  /** The controls of a server for tests; on other servers the check is left out. */
  get standIn(): StandIn {
    return this.deployment.standIn ?? this.leaveOut('needs a Parley on this machine that was started with --testing')
  }

  /** Lets time pass on the server; a server for tests does not need to wait. For checks with `movesClock`. */
  async pass(seconds: number): Promise<void> {
    const { standIn } = this.deployment
    if (standIn) await standIn.advance(Math.max(0, seconds) * 1000)
    else await setTimeout(Math.max(0, seconds) * 1000)
  }

  /** Calls `see` for every exchange of the run from now on; resolves when all checks except witnesses have ended. */
  watch(see: See): Promise<void> {
    return this.deployment.feed.watch(see)
  }

  /** Leaves the check out unless the server has the operation and the suite can call it. */
  mustHave(operation: Operation): void {
    const reason = this.deployment.notAsked(operation)
    if (reason !== undefined) this.leaveOut(`${operation.id} ${reason}`)
  }

  /** Same as above, and unless the server documents the operation. */
  mustDocument(operation: Operation): void {
    this.mustHave(operation)
    const reason = this.deployment.notDocumented(operation)
    if (reason !== undefined) this.leaveOut(`${operation.id} ${reason}`)
  }

  leaveOut(reason: string): never {
    throw new LeftOutError(reason)
  }

  /**
   * A member for this check only: a new one or, if none can be created, a given one after removing its personal state.
   */
  async user(): Promise<Account> {
    return (await this.userIfAny()) ?? this.nobodyElse()
  }

  /** Like `user`, but undefined if nobody is left. */
  async userIfAny(): Promise<Account | undefined> {
    const made = await this.deployment.unusedUser()
    if (made !== undefined) return made
    const user = this.#givenPeople.toReversed().find((account) => !this.#taken.has(account))
    if (user === undefined) return undefined
    this.#taken.add(user)
    await settleGiven(user)
    return user
  }

  /** @throws {LeftOutError} with the reason why there are no more people */
  nobodyElse(): never {
    this.leaveOut(
      `needs ${this.#taken.size + 1} people and the credentials have ${this.#givenPeople.length}; no user can be made because ${this.deployment.noUsers}`,
    )
  }

  get #givenPeople(): Account[] {
    return this.deployment.given.filter(({ isBot, role }) => !isBot && role !== 'guest')
  }

  /** A newly created member, for actions that must not affect a given account. */
  async newUser(isAsMade = false): Promise<Account> {
    return (await this.deployment.newUser(isAsMade)) ?? this.withoutUsers()
  }

  /**
   * @throws {SetUpError} if the server fails to create users instead of refusing it; otherwise the check is left out
   */
  withoutUsers(): never {
    const { userFailure, noUsers } = this.deployment
    if (userFailure !== undefined) throw userFailure
    this.leaveOut(`needs a new user, and none can be made: ${noUsers}`)
  }

  /** A channel for this check only; `wishes` are more parameters of its creation. */
  channel(
    creator: Account,
    others: readonly Account[] = [],
    isPrivate = false,
    wishes: Values = {},
  ): Promise<NewChannel> {
    return this.deployment.newChannel(creator, others, isPrivate, wishes)
  }

  unique(prefix: string): string {
    return this.deployment.unique(prefix)
  }

  /**
   * People, a channel and a message, shared with the checks before and after this one, but never at the same time. A
   * later `user()` returns other people.
   */
  async scene(): Promise<Scene> {
    this.#scene ??= this.#sceneOfCheck()
    const scene = await this.#scene
    for (const person of scene.people) this.#taken.add(person)
    return scene
  }

  /** The previous check's scene, or another one if its people would soon have to wait for rate limits. */
  async #sceneOfCheck(): Promise<Scene> {
    const former = await this.#scenes.current
    const isTired = former?.people.some(({ requestsLeft }) => requestsLeft < fewRequests) ?? true
    if (former !== undefined && !(isTired && this.deployment.noUsers === undefined)) return former
    this.#scenes.current = makeScene(this)
    return this.#scenes.current
  }

  /** The given account with this role, or else the one with the lowest role above it. */
  person(role: 'member' | 'administrator' | 'owner'): Account {
    const account = this.deployment.atLeast(role)
    if (account === undefined) this.leaveOut(`needs the credentials of a person with the role ${role}`)
    return account
  }

  /**
   * Runs `body` again if it reported findings, and keeps only those that recur: somebody else, such as another run of
   * the suite, may have changed the organization's settings meanwhile.
   */
  async unlessDisturbed(body: () => Promise<void>): Promise<void> {
    const before = this.findings.length
    const longestPauseMs = this.deployment.waitMs / 10
    for (let pauseMs = longestPauseMs / 8; ; pauseMs *= 2) {
      const isLast = pauseMs > longestPauseMs || pauseMs === 0
      this.findings.splice(before)
      try {
        await body()
        if (isLast || this.findings.length === before) return
      } catch (err) {
        if (isLast || !(err instanceof SetUpError)) throw err
      }
      await setTimeout(Math.random() * pauseMs) // otherwise two runs could go on disturbing each other
    }
  }

  /**
   * Runs `body` for generated values. A failure is shrunk, and the report tells how to repeat it.
   *
   * @param always values that come first, with every seed
   */
  async property<T>(
    values: fc.Arbitrary<T>,
    body: (value: T) => Promise<void>,
    always: readonly T[] = [],
  ): Promise<void> {
    this.usesValues = true
    const before = this.findings.length
    let found: Finding[] = []
    let shrinkUntil = Infinity
    const { seed, path, numRuns, shrinkMs } = this.#random
    const property = fc.asyncProperty(values, async (value) => {
      if (performance.now() > shrinkUntil) return true // so shrinking ends here
      try {
        await body(value)
      } catch (err) {
        const endsAll = err instanceof LeftOutError || err instanceof UnreachableError
        const fault = endsAll ? undefined : this.faultBehind(err)
        if (fault === undefined) throw err
        this.findings.push(fault)
      }
      const fresh = this.findings.splice(before)
      if (fresh.length === 0) return true
      found = fresh
      shrinkUntil = Math.min(shrinkUntil, performance.now() + shrinkMs)
      return false
    })
    const examples = always.map((value) => [value] as [T])
    const runs = { seed, numRuns: numRuns + examples.length, examples }
    const details = await fc.check(property, { ...runs, ...(path !== undefined && { path }) })
    if (!details.failed) return
    if (details.errorInstance instanceof Error && found.length === 0) throw details.errorInstance
    const replay = `--only ${this.#check.id} --seed ${details.seed} --path ${details.counterexamplePath}`
    this.findings.push(...found.map((one) => ({ ...one, replay })))
  }

  #sentence(id: string): string {
    const { requirements, also = [], conditional = [] } = this.#check
    if (![...requirements, ...also, ...conditional].includes(id))
      throw new Error(`check ${this.#check.id} does not name ${id}`)
    const { operations } = this.deployment.contract
    const { all, notes } = this.#requirements
    const requirement = all.get(id)
    const says = requirement
      ? [requirement.says, ...requirement.notes.map((note) => notes.get(note))].join(' ')
      : (ownRules.get(id) ?? operations.get(id)?.says)
    if (says === undefined) throw new Error(`there is no requirement ${id}`)
    return says
  }
}
