import type { Account } from '../deployment/account.ts'
import type { World } from './world.ts'

/** What somebody keeps for themselves. */
interface OwnItem {
  readonly id: number
  readonly owner: Account
}

/** What people of a world keep of one noun. */
export class OwnItems {
  readonly #noun: string
  readonly #make: (world: World, who: number) => Promise<unknown>

  /** @param make keeps one more of somebody, with `add` */
  constructor(noun: string, make: (world: World, who: number) => Promise<unknown>) {
    this.#noun = noun
    this.#make = make
  }

  /** @param remove what is done about it in the end, so that nothing stays */
  add(world: World, item: OwnItem, remove: () => Promise<unknown>): void {
    world.kept<OwnItem>(this.#noun).push(item)
    world.atEnd(remove)
  }

  /** One's own or, where one has none, somebody's; kept now where there is none at all. */
  async oldest(world: World, who: number): Promise<OwnItem | undefined> {
    const all = world.kept<OwnItem>(this.#noun)
    if (all.length === 0) await this.#make(world, who)
    return all.find(({ owner }) => owner === world.person(who)) ?? all[0]
  }

  /** The same, of which nobody has to know any more. */
  async take(world: World, who: number): Promise<OwnItem | undefined> {
    const [all, found] = [world.kept<OwnItem>(this.#noun), await this.oldest(world, who)]
    if (found) all.splice(all.indexOf(found), 1)
    return found
  }
}
