import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { requestValues } from '../wire/request-values.ts'
import { canonical, isObject, type Json } from '../wire/values.ts'
import type { Account } from './account.ts'
import { described } from './described.ts'

/** The operations that change settings of the organization, and where POST /register has them. */
const kinds = {
  'update-realm': (state: Json, name: string): unknown => state[`realm_${name}`],
  'update-realm-user-settings-defaults': (state: Json, name: string): unknown =>
    state.realm_user_settings_defaults?.[name],
} as const
type Kind = keyof typeof kinds

/** Settings of the organization as they were before the run, and what the run has made of them. */
export class ChangedSettings {
  /** POST /register before the run, with the organization's groups; undefined until it is known. */
  before: Json
  readonly #set: Readonly<Record<Kind, Map<string, unknown>>> = {
    'update-realm': new Map(),
    'update-realm-user-settings-defaults': new Map(),
  }

  heard({ status, request }: Exchange, operation: Operation | undefined): void {
    const names = this.#set[operation?.id as Kind]
    if (operation === undefined || names === undefined || status !== 200) return
    for (const [name, value] of requestValues(operation, request)) names.set(name, value)
  }

  async remember(reader: Account): Promise<void> {
    this.before ??= await stateOf(reader)
  }

  /**
   * Restores the settings that still have the values of this run, after an interruption too.
   *
   * @returns names of those that stay changed
   */
  async restore(owner: Account): Promise<string[]> {
    if (this.before === undefined || Object.values(this.#set).every(({ size }) => size === 0)) return []
    const present = await stateOf(owner)
    const remains: string[] = []
    for (const [kind, names] of Object.entries(this.#set)) {
      for (const [name, value] of names) {
        const [before, now] = [this.before, present].map((state) => kinds[kind as Kind](state, name))
        const isGroup = isObject(value) && 'new' in value
        const isOfThisRun = canonical(now) === canonical(isGroup ? value.new : value)
        if (!isOfThisRun || canonical(now) === canonical(before)) continue
        const { status } = await owner.call(kind, {
          [name]: isGroup ? { new: before, old: now } : asSent(name, before),
        })
        if (status !== 200) remains.push(`setting ${name}`)
      }
    }
    return remains
  }
}

/** The form in which a request sets what POST /register shows. */
export function asSent(name: string, value: unknown): unknown {
  if (value === null && name.endsWith('_limit_seconds')) return '"unlimited"'
  return name.endsWith('_group') ? { new: value } : value
}

async function stateOf(owner: Account): Promise<Json> {
  return (await described(owner, ['realm', 'realm_user_groups', 'realm_user_settings_defaults'])).body
}
