import assert from 'node:assert/strict'
import { namesOf } from '../../conformance/acts/bots.ts'
import { validRequest } from '../../conformance/acts/valid-request.ts'
import { Account, personRoles, requestOf, type Values } from '../../conformance/deployment/account.ts'
import type { Deployment } from '../../conformance/deployment/deployment.ts'
import { deploymentAt } from '../../conformance/deployment/deployment-testing.ts'
import { PushRelay } from '../../conformance/deployment/push-relay.ts'
import type { Scene } from '../../conformance/deployment/scene.ts'
import { bareContext } from '../../conformance/kernel/bare-context-testing.ts'
import type { CheckContext } from '../../conformance/kernel/check-context.ts'
import { endsItsCaller } from '../../conformance/kernel/ends-caller.ts'
import { newPerson } from '../../conformance/kernel/people-of-roles.ts'
import { type Operation, readContract } from '../../conformance/wire/contract.ts'
import { type Exchange, Http } from '../../conformance/wire/http.ts'
import { Pace } from '../../conformance/wire/pace.ts'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import type { Caller, Row } from '../../scripts/permissions/matrix.ts'
import { perform } from '../../server/admin.ts'
import { type Dialect, startParley, type TestServer } from '../../server/testing.ts'
import { type Act, acts } from './acts.ts'

const contract = readContract()
const relay = await PushRelay.listen()
/** Acts after which somebody calls with other credentials. */
const NEW_LOGIN = /^Change your address/

/**
 * A server with an account of each kind, unrelated to the subjects of requests except for subscriptions to their
 * channels.
 */
export class Ground {
  readonly server: TestServer
  readonly deployment: Deployment
  readonly #http: Http
  readonly #context: CheckContext
  readonly #callers = new Map<Caller, Account>()

  private constructor(server: TestServer, http: Http, deployment: Deployment) {
    this.server = server
    this.#http = http
    this.deployment = deployment
    const scenes: { current: Promise<Scene> | undefined } = { current: undefined }
    this.#context = bareContext(deployment, 'permissions', scenes)
    const { channel } = this.#context
    this.#context.channel = (creator, others = [], ...rest) =>
      channel.call(this.#context, creator, [...others, ...this.#followers()], ...rest)
  }

  static async open(dialect: Dialect): Promise<Ground> {
    const server = await startParley(dialect, { pushRelayUrl: relay.url, hasDevelopmentLogin: true })
    const http = new Http(server.url, new Pace())
    const ground = new Ground(server, http, await deploymentAt(server, http))
    for (const name of [...personRoles, 'bot', 'webhook', 'deactivated'] as const) {
      ground.#callers.set(name, await ground.#newCaller(name))
    }
    return ground
  }

  #followers(): Account[] {
    return [...this.#callers].flatMap(([name, account]) => (name === 'deactivated' ? [] : [account]))
  }

  async #newCaller(name: Exclude<Caller, 'nobody' | 'own'>): Promise<Account> {
    const t = this.#context
    switch (name) {
      case 'bot':
        return this.#newBot(1)
      case 'webhook':
        return this.#newBot(2)
      case 'deactivated': {
        const person = await t.newUser()
        await t.person('administrator').must('deactivate-user', { user_id_or_email: person.userId })
        return person
      }
      default:
        return (await newPerson(t, name)) ?? assert.fail(`nobody can be ${name}`)
    }
  }

  async #newBot(bot_type: number): Promise<Account> {
    const owner = await this.#context.newUser()
    const names = namesOf(this.#context)
    const { body } = await owner.must('create-bot', { ...names, bot_type })
    const { body: seen } = await owner.must('get-user', { user_id_or_email: body.user_id })
    const login = { email: String(seen.user.email), apiKey: String(body.api_key) }
    const profile = { userId: Number(body.user_id), role: 'member', isBot: true, fullName: names.full_name } as const
    return new Account(this.#http, contract, login, profile)
  }

  /** The answer to a valid request by `caller`; each is about a new thing. */
  async ask(row: Row, caller: Caller): Promise<Exchange> {
    const account = await this.account(row, caller)
    const act = await this.make(row, caller === 'deactivated' ? undefined : account)
    const answer = await this.whileSet(row.permission.when ?? {}, () => this.send(row, act, caller, account))
    if (operationOf(row.operationId).endsService) {
      await perform(['reactivate-organization'], { PARLEY_DATA: this.server.dataFolder }, () => undefined)
    }
    return answer
  }

  /** Undefined for nobody, and for owners of things that do not exist yet. */
  async account({ operationId, permission: { act } }: Row, caller: Caller): Promise<Account | undefined> {
    if (caller === 'nobody' || caller === 'own') return undefined
    const isLast = endsItsCaller(operationOf(operationId)) || (act !== undefined && NEW_LOGIN.test(act))
    const isNew = isLast && caller !== 'deactivated'
    return isNew ? this.#newCaller(caller) : (this.#callers.get(caller) ?? assert.fail(caller))
  }

  /** A valid request. @param caller who is going to send it */
  async make({ operationId, permission: { act } }: Row, caller: Account | undefined): Promise<Act> {
    const maker = acts[act === undefined ? operationId : `${operationId}: ${act}`]
    if (maker) return maker(await this.#context.scene(), this.#context, caller)
    if (act !== undefined) assert.fail(`no request does this: ${operationId}: ${act}`)
    return validRequest(this.#context, operationOf(operationId))
  }

  async send(row: Row, { as, values }: Act, caller: Caller, account: Account | undefined): Promise<Exchange> {
    const sent = requestOf(operationOf(row.operationId), values)
    if (account) return account.send(sent)
    if (caller === 'nobody') return this.deployment.send(sent)
    // The suite's requests as an administrator are about a thing of its member.
    const isOfMember = as.role === 'member' || row.permission.by?.some((one) => one.startsWith('account.'))
    return (isOfMember ? as : (await this.scene()).user).send(sent)
  }

  scene(): Promise<Scene> {
    return this.#context.scene()
  }

  /** Runs while settings of the organization have these values. */
  async whileSet<T>(values: Values, work: () => Promise<T>): Promise<T> {
    const names = Object.keys(values)
    if (names.length === 0) return work()
    const owner = this.#context.person('owner')
    const { body } = await owner.must('register-queue', { fetch_event_types: ['realm'], event_types: ['realm'] })
    await owner.must('update-realm', values)
    const result = await work()
    await owner.must('update-realm', Object.fromEntries(names.map((name) => [name, body[`realm_${name}`]])))
    return result
  }

  /**
   * Runs while settings that name groups allow one account each, or, where they name none, the owner who created the
   * organization.
   */
  async whileGroupsAre<T>(
    act: Act,
    values: ReadonlyMap<{ of: string; name: string; default: string }, number | undefined>,
    work: () => Promise<T>,
  ): Promise<T> {
    const owner = this.#context.person('owner')
    const { user, channel } = await this.scene()
    const { stream_id: named = channel.id, user_group_id } = act.values
    const stream_id = act.channel?.id ?? named
    const isSecret = act.channel !== undefined && stream_id !== channel.id
    const only = (userId = owner.userId) => ({ new: { direct_members: [userId], direct_subgroups: [] } })
    const usual = (name: string) => {
      const groupId = (SYSTEM_GROUP_ID as Readonly<Record<string, number>>)[name]
      return groupId === undefined ? only(user.userId) : { new: groupId }
    }
    const of = (table: string, isOver: boolean): Values | undefined => {
      const meant = [...values].filter(([one]) => one.of === table)
      const wanted = meant.map(([{ name, default: value }, userId]) => [name, isOver ? usual(value) : only(userId)])
      return meant.length === 0 ? undefined : Object.fromEntries(wanted)
    }
    const [group, here, anywhere] = [of('user_group.', false), of('channel.', false), of('', false)]
    // All settings of a thing at once, because its creator may not be able to change more afterwards.
    if (group) await user.must('update-user-group', { user_group_id, ...group })
    if (here) await (isSecret ? user : owner).must('update-stream', { stream_id, ...here })
    if (anywhere) await owner.must('update-realm', anywhere)
    const result = await work()
    if (anywhere) await owner.must('update-realm', of('', true))
    if (here && stream_id === channel.id) await owner.must('update-stream', { stream_id, ...of('channel.', true) })
    return result
  }

  async close(): Promise<void> {
    await this.server.stop()
  }
}

function operationOf(id: string): Operation {
  return contract.operations.get(id) ?? assert.fail(id)
}
