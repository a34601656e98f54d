import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import { type ActionKind, type Ground, kind } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { ownLists } from '../own-lists/all.ts'
import {
  changeRequest,
  madeId,
  makeRequest,
  type OwnList,
  operationsOf,
  rowsIn,
  wordsOf,
} from '../own-lists/own-list.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = Object.assign({}, ...ownLists.map(requestsOf))

export const actions: readonly ActionKind[] = ownLists.flatMap(actionsOf)

function requestsOf(noun: OwnList): Requests {
  const { given, item } = noun
  const operations = operationsOf(noun)
  return {
    [operations.make]: async ({ user }) => {
      await removeOwn(noun, user)
      return makeRequest(noun, given)
    },
    [operations.change]: async ({ user }) => changeRequest(noun, await made(noun, user), given),
    [operations.remove]: async ({ user }) => ({ [`${item}_id`]: await made(noun, user) }),
  }
}

/**
 * Removes items created here before, because an account's room is limited; a given account may have some of its own.
 */
async function removeOwn(noun: OwnList, user: Account): Promise<void> {
  const { given, item } = noun
  const operations = operationsOf(noun)
  const { body } = await user.must(operations.all)
  for (const row of rowsIn(noun, body)) {
    const isOwn = Object.entries(given).every(([name, value]) => isDeepStrictEqual(row[name], value))
    if (isOwn) await user.must(operations.remove, { [`${item}_id`]: row.id })
  }
}

async function made(noun: OwnList, user: Account): Promise<number> {
  await removeOwn(noun, user)
  return madeId(noun, (await user.must(operationsOf(noun).make, makeRequest(noun, noun.given))).body)
}

/** An item of somebody in a world. */
interface Item {
  readonly id: number
  readonly owner: Account
}

interface Writing {
  readonly who: number
  readonly written: object
}

function actionsOf(noun: OwnList): ActionKind[] {
  const { item, since = 0, changedSince = since } = noun
  const operations = operationsOf(noun)
  const id = `${item}_id`
  const words = wordsOf(item)
  const writing = (ground: Ground) => ({ who: ground.observer, written: anyOf(noun, ground) })
  const keep = async (world: World, { who, written }: Writing) => {
    const owner = world.person(who)
    const answer = await owner.call(
      operations.make,
      makeRequest(noun, { ...noun.given, ...fieldsOf(noun, world, written) }),
    )
    if (answer.status !== 200) return answer
    const made = { id: Number(madeId(noun, answer.body)), owner }
    world.kept<Item>(item).push(made)
    world.atEnd(() => owner.call(operations.remove, { [id]: made.id }))
    return answer
  }
  /** The actor's oldest item, or else somebody's; if there is none at all, one is created. */
  const oldest = async (world: World, who: number): Promise<Item | undefined> => {
    const all = world.kept<Item>(item)
    if (all.length === 0) await keep(world, { who, written: {} })
    return all.find(({ owner }) => owner === world.person(who)) ?? all[0]
  }
  return [
    kind(`keep ${words}`, writing, keep, { since }),
    kind(
      `change ${words}`,
      writing,
      async (world, { who, written }) => {
        const found = await oldest(world, who)
        return found?.owner.call(operations.change, changeRequest(noun, found.id, fieldsOf(noun, world, written)))
      },
      { since: changedSince },
    ),
    kind(
      `delete ${words}`,
      ({ observer }) => ({ who: observer }),
      async (world, { who }) => {
        const [all, found] = [world.kept<Item>(item), await oldest(world, who)]
        if (found) all.splice(all.indexOf(found), 1)
        return found?.owner.call(operations.remove, { [id]: found.id })
      },
      { since },
    ),
  ]
}

function anyOf({ any, changes }: OwnList, ground: Ground): fc.Arbitrary<object> {
  const known = changes.flatMap(([, fields]) => (typeof fields === 'function' ? [] : [fields]))
  return any ? fc.record(any(ground)) : fc.constantFrom<Values>(...known)
}

function fieldsOf({ fields }: OwnList, world: World, written: object): Values {
  return fields?.(world, written) ?? { ...written }
}
