import type { Contract, Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { requestValues } from '../wire/request-values.ts'
import { type Account, LeftOutError, operationNamed, type Values } from './account.ts'

/** A kind of thing that checks create and that outlives its creators, and how to remove it. */
interface Kind {
  readonly noun: string
  readonly maker: string
  /** Field of the maker's answer, or else its parameter. */
  readonly id: string
  /** Names what it removes in its path. */
  readonly remover: string
  /** Its other parameters. */
  readonly values?: Values
}

const kinds: readonly Kind[] = [
  { noun: 'user group', maker: 'create-user-group', id: 'group_id', remover: 'deactivate-user-group' },
  { noun: 'linkifier', maker: 'add-linkifier', id: 'id', remover: 'remove-linkifier' },
  {
    noun: 'custom profile field',
    maker: 'create-custom-profile-field',
    id: 'id',
    remover: 'remove-custom-profile-field',
  },
  { noun: 'code playground', maker: 'add-code-playground', id: 'id', remover: 'remove-code-playground' },
  { noun: 'export', maker: 'start-data-export', id: 'id', remover: 'remove-data-export' },
  {
    noun: 'channel folder',
    maker: 'create-channel-folder',
    id: 'channel_folder_id',
    remover: 'update-channel-folder',
    values: { is_archived: true },
  },
  { noun: 'domain', maker: 'add-email-domain', id: 'domain', remover: 'remove-email-domain' },
  { noun: 'custom emoji', maker: 'add-custom-emoji', id: 'emoji_name', remover: 'deactivate-custom-emoji' },
]

interface Made {
  readonly kind: Kind
  /** Undefined if the answer did not contain it. */
  readonly id: unknown
}

/** Things that the run has created in the organization and nobody has removed yet, according to the answers. */
export class MadeThings {
  /** By noun and id, in the order of making. */
  readonly #made = new Map<string, Made>()

  heard({ status, request, body }: Exchange, operation: Operation | undefined): void {
    if (operation === undefined || status !== 200) return
    for (const kind of kinds) {
      if (operation.id !== kind.maker && operation.id !== kind.remover) continue
      const values = requestValues(operation, request)
      if (operation.id === kind.maker) {
        const id = body?.[kind.id] ?? values.get(kind.id)
        this.#made.set(nameOf(kind, id ?? values.get('name')), { kind, id })
      } else if (Object.entries(kind.values ?? {}).every(([name, value]) => values.get(name) === value)) {
        this.#made.delete(nameOf(kind, values.get(parameterOf(operation))))
      }
    }
  }

  /** Removes everything, the newest first, because newer things may use older ones. @returns names of what stays */
  async remove(manager: Account, contract: Contract): Promise<string[]> {
    for (const { kind, id } of [...this.#made.values()].reverse()) {
      try {
        const parameter = parameterOf(operationNamed(contract, kind.remover))
        await manager.call(kind.remover, { [parameter]: id, ...kind.values })
      } catch (err) {
        if (!(err instanceof LeftOutError)) throw err // the server's level lacks the remover, or no answer told the id
      }
    }
    return [...this.#made.keys()]
  }
}

/** Names are case-insensitive. */
function nameOf({ noun }: Kind, id: unknown): string {
  return `${noun} ${String(id).toLowerCase()}`
}

function parameterOf({ path }: Operation): string {
  return /\{(\w+)\}/.exec(path)?.[1] ?? ''
}
