import type { Pauses } from '../db/pauses.ts'
import { chunksOf } from '../domain/chunks.ts'
import { type EncodedJson, JsonPieces } from '../domain/json-pieces.ts'

/** Items whose JSON is joined once for all answers that have all of them. */
const TOGETHER = 64

/** Neighbours in a list, and the JSON of all of them with a comma before each, as UTF-8. */
interface Chunk<Item> {
  readonly items: readonly Item[]
  json?: Buffer
}

/**
 * JSON of items that many answers have, made once for an item: until it changes, it is the same object
 * (`read.shared`). What is made of it goes with it.
 */
export class ItemJson<Item extends object> {
  readonly #toWire: (item: Item) => object
  readonly #texts = new WeakMap<Item, string>()
  readonly #chunks = new WeakMap<readonly Item[], readonly Chunk<Item>[]>()

  /** @param toWire may depend on nothing but the item */
  constructor(toWire: (item: Item) => object) {
    this.#toWire = toWire
  }

  /** The JSON of one. */
  text(item: Item): string {
    let text = this.#texts.get(item)
    if (text === undefined) {
      text = JSON.stringify(this.#toWire(item))
      this.#texts.set(item, text)
    }
    return text
  }

  /** The JSON of each, with pauses: a channel whose settings list thousands of people takes a millisecond. */
  async texts(items: readonly Item[], pauses: Pauses): Promise<string[]> {
    const texts: string[] = []
    for (const item of items) {
      if (!this.#texts.has(item)) await pauses.letOthers()
      texts.push(this.text(item))
    }
    return texts
  }

  /** The JSON of the list of those items of `items` that are listed, made with pauses. */
  async list(
    items: readonly Item[],
    pauses: Pauses,
    isListed: (item: Item) => boolean = () => true,
  ): Promise<EncodedJson> {
    const json = new ListJson()
    for (const chunk of this.#chunksOf(items)) {
      const listed = chunk.items.filter(isListed)
      if (listed.length === TOGETHER) {
        chunk.json ??= Buffer.from((await this.texts(listed, pauses)).map((text) => `,${text}`).join(''))
        json.addBuffer(chunk.json)
      } else for (const text of await this.texts(listed, pauses)) json.add(text)
      await pauses.letOthers()
    }
    return json.end()
  }

  /**
   * The JSON of a list whose items have further fields, made with pauses.
   * @param more JSON of an object that is not empty; undefined for none
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

/** The JSON of a list, item by item. */
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

/** The JSON of an object with the fields of both, none of which is empty. */
export function joinedJson(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first.slice(0, -1)},${second.slice(1)}`
}
