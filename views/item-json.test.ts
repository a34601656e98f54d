import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { ItemJson, joinedJson } from './item-json.ts'

interface Item {
  readonly id: number
  readonly name: string
}

const toWire = ({ id, name }: Item) => ({ id, name, length: name.length })
const pauses = new Pauses()

test('a list equals the result of JSON.stringify, with shared parts', async () => {
  const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { maxLength: 300, size: 'max' })
  const choice = fc.func<[number], boolean>(fc.boolean()).map(
    (isChosen) =>
      ({ id }: Item) =>
        isChosen(id),
  )
  await fc.assert(
    fc.asyncProperty(names, fc.array(choice, { maxLength: 3 }), async (given, choices) => {
      const items = given.map((name, id) => ({ id, name }))
      const json = new ItemJson(toWire)
      for (const isListed of [() => true, ...choices, ({ id }: Item) => id > 100, () => true]) {
        const { pieces } = await json.list(items, pauses, { isListed })
        const expected = JSON.stringify(items.filter(isListed).map(toWire))
        assert.equal(pieces.map(String).join(''), expected)
      }
    }),
  )
})

test('the JSON of an item is made once, and a long list shares its pieces', async () => {
  let made = 0
  const json = new ItemJson<Item>((item) => {
    made += 1
    return toWire(item)
  })
  const items = Array.from({ length: 1000 }, (_, id) => ({ id, name: 'x'.repeat(1000) }))
  const [first, second] = [await json.list(items, pauses), await json.list(items, pauses)]
  assert.equal(made, 1000)
  const shared = first.pieces.filter((piece) => typeof piece !== 'string' && second.pieces.includes(piece))
  assert.ok(shared.length > 10, `${shared.length} shared`)
  const other = await json.list([{ id: 7, name: 'new' }, ...items.slice(1)], pauses)
  assert.deepEqual([made, (other.toJSON() as Item[])[0]?.id], [1001, 7])
})

test('objects are joined field by field', () => {
  const [one, other] = [{ a: 1, b: '}' }, { c: ['{'] }]
  assert.equal(joinedJson(JSON.stringify(one), JSON.stringify(other)), JSON.stringify({ ...one, ...other }))
  assert.equal(joinedJson('{"a":1}', undefined), '{"a":1}')
})

test('others are served before each new item', async () => {
  let since = 0
  let most = 0
  const json = new ItemJson<Item>((item) => {
    since += 1
    most = Math.max(most, since)
    return toWire(item)
  })
  class Counted extends Pauses {
    override async letOthers(): Promise<void> {
      since = 0
    }
  }
  const items = Array.from({ length: 200 }, (_, id) => ({ id, name: 'x' }))
  await json.list(items.slice(0, 100), new Counted(), { isListed: ({ id }) => id !== 3 })
  await json.list(items, new Counted())
  assert.equal(most, 1)
})

test('items have the form chosen for each, and one of them that of a single viewer', async () => {
  const forms = [toWire, ({ id }: Item) => ({ id })] as const
  const sources = fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 300, size: 'max' })
  await fc.assert(
    fc.asyncProperty(sources, fc.nat(300), fc.boolean(), async (given, own, isUniform) => {
      const items = given.map((_, id) => ({ id, name: `${id}` }))
      const of = ({ id }: Item): number => (isUniform ? 1 : (given[id] as number))
      const kept = forms.map((form) => new ItemJson(form))
      const json = ItemJson.choosing((item: Item) => kept[of(item)] as ItemJson<Item>)
      const item = items[own]
      for (const instead of [undefined, item && { item, text: '"own"' }]) {
        const { pieces } = await json.list(items, pauses, { instead })
        const expected = items.map((one) => (one === instead?.item ? 'own' : forms[of(one)]?.(one)))
        assert.equal(pieces.map(String).join(''), JSON.stringify(expected))
      }
    }),
  )
})
