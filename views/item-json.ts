import { chunksOf } from '../domain/chunks.ts'
import { type EncodedJson, JsonPieces } from '../domain/json-pieces.ts'
import type { Pauses } from '../event-loop/pauses.ts'

/** Number of items whose JSON is joined once for all answers that contain all of them. */
const TOGETHER = 64

/** Neighbouring items of a list, and the JSON of all of them with a comma before each, as UTF-8. */
interface Chunk<Item> {
  readonly items: readonly Item[]
  json?: Buffer
}

interface ListOptions<Item> {
  /** By default all are listed. */
  readonly isListed?: ((item: Item) => boolean) | undefined
  /** An item with other JSON, for this list alone. */
  readonly instead?: { readonly item: Item; readonly text: string } | undefined
}

/**
 * Caches the JSON of items that many answers contain. An item is the same object until it changes (`read.shared`), and
 * its JSON is dropped with it.
 */
export class ItemJson<Item extends object> {
  readonly #toWire: (item: Item) => object
  #choose: ((item: Item) => ItemJson<Item>) | undefined
  readonly #texts = new WeakMap<Item, string>()
  readonly #chunks = new WeakMap<readonly Item[], readonly Chunk<Item>[]>()

  /** @param toWire must depend on nothing but the item */
  constructor(toWire: (item: Item) => object) {
    this.#toWire = toWire
  }

  /** Returns a list in which each item has the form that `choose` returns; their JSON is cached there. */
  static choosing<Item extends object>(choose: (item: Item) => ItemJson<Item>): ItemJson<Item> {
    const json = new ItemJson<Item>((item) => item)
    json.#choose = choose
    return json
  }

  /** Returns the JSON of one item. */
  text(item: Item): string {
    if (this.#choose) return this.#choose(item).text(item)
    let text = this.#texts.get(item)
    if (text === undefined) {
      text = JSON.stringify(this.#toWire(item))
      this.#texts.set(item, text)
    }
    return text
  }

  /**
   * Returns the JSON of each item, with pauses: a channel whose settings list thousands of users takes a millisecond.
   */
  async texts(items: readonly Item[], pauses: Pauses): Promise<string[]> {
    const texts: string[] = []
    for (const item of items) {
      if (!this.#isMade(item)) await pauses.letOthers()
      texts.push(this.text(item))
    }
    return texts
  }

  /** Returns the JSON of the listed items of `items`, made with pauses. */
  async list(
    items: readonly Item[],
    pauses: Pauses,
    { isListed = () => true, instead }: ListOptions<Item> = {},
  ): Promise<EncodedJson> {
    const json = new ListJson()
    for (const [index, chunk] of this.#chunksOf(items).entries()) {
      const listed = chunk.items.filter(isListed)
      const at = instead ? listed.indexOf(instead.item) : -1
      if (listed.length === TOGETHER && at === -1) json.addBuffer(await this.#together(items, index, pauses))
      else {
        const texts = await this.texts(listed, pauses)
        for (const text of instead && at !== -1 ? texts.with(at, instead.text) : texts) json.add(text)
      }
      await pauses.letOthers()
    }
    return json.end()
  }

  /** Returns the JSON of a whole chunk of the list. */
  async #together(items: readonly Item[], index: number, pauses: Pauses): Promise<Buffer> {
    const chunk = this.#chunksOf(items)[index] as Chunk<Item>
    const [first] = chunk.items
    const form = first && this.#choose?.(first)
    if (form && chunk.items.every((item) => this.#choose?.(item) === form)) return form.#together(items, index, pauses)
    chunk.json ??= Buffer.from((await this.texts(chunk.items, pauses)).map((text) => `,${text}`).join(''))
    return chunk.json
  }

  #isMade(item: Item): boolean {
    return (this.#choose?.(item) ?? this).#texts.has(item)
  }

  /**
   * Returns the JSON of a list whose items have further fields, made with pauses.
   *
   * @param more JSON of a non-empty object; undefined for none
   */
  async listWith(
    items: readonly Item[],
    pauses: Pauses,
    more: (item: Item) => string | undefined,
  ): Promise<EncodedJson> {
    const json = new ListJson()
    const texts = await this.texts(items, pauses)
    await pauses.map(items, (item, index) => json.add(joinedJson(texts[index] as string, more(item))))
    return json.end()
  }

  #chunksOf(items: readonly Item[]): readonly Chunk<Item>[] {
    let chunks = this.#chunks.get(items)
    if (!chunks) {
      chunks = [...chunksOf(items, TOGETHER)].map((some) => ({ items: some }))
      this.#chunks.set(items, chunks)
    }
    return chunks
  }
}

/** Builds the JSON of a list, item by item. */
export class ListJson {
  readonly #json = new JsonPieces()
  #isEmpty = true

  constructor() {
    this.#json.add('[')
  }

  /** @param item JSON */
  add(item: string): void {
    this.#json.add(this.#isEmpty ? item : `,${item}`)
    this.#isEmpty = false
  }

  /** @param items JSON of several, with a comma before each */
  addBuffer(items: Buffer): void {
    this.#json.add(this.#isEmpty ? items.subarray(1) : items)
    this.#isEmpty = false
  }

  end(): EncodedJson {
    this.#json.add(']')
    return this.#json.encoded()
  }
}

/** Returns the JSON of an object with the fields of both, neither of which is empty. */
export function joinedJson(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first.slice(0, -1)},${second.slice(1)}`
}
