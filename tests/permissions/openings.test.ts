import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Account } from '../../conformance/deployment/account.ts'
import { partsOf, settingOf } from '../../scripts/generate/permissions.ts'
import { readSource } from '../../scripts/generate/source.ts'
import { type Caller, matrixOf, type Row } from '../../scripts/permissions/matrix.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { Ground } from './callers.ts'

const source = await readSource(join(import.meta.dirname, '../../openapi'))
const ROLES = ['administrator', 'owner'] as const

/** Settings that let somebody do something, each with the kind of thing that has it. */
interface Opening {
  readonly row: Row
  /** A member, or the caller that the rule also requires. */
  readonly caller: Caller
  readonly names: readonly Named[]
}

type Named = NonNullable<ReturnType<typeof settingOf>>

/** For each alternative of a rule that names settings: a caller who is allowed only by these settings. */
const openings: readonly Opening[] = matrixOf(source).flatMap((row) => {
  const { by = [], least } = row.permission
  return by.flatMap((alternative) => {
    const parts = partsOf(alternative)
    const names = parts.flatMap((part) => settingOf(part, source.settings) ?? [])
    if (names.length === 0) return []
    const role = ROLES.find((one) => parts.includes(one) || least === one)
    return [{ row, caller: parts.includes('own') ? 'own' : (role ?? 'member'), names }]
  })
})

onEachDatabase('settings that name groups', (dialect) => {
  let ground: Ground
  before(async () => {
    ground = await Ground.open(dialect)
  })
  after(() => ground.close())

  /** The result of a request while only the settings in `open`, of all that its rule names, allow its caller. */
  async function outcome({ row, caller }: Opening, open: readonly Named[]): Promise<string> {
    const account = await ground.account(row, caller)
    const act = await ground.make(row, account)
    const named = (row.permission.by ?? []).flatMap(partsOf).flatMap((part) => settingOf(part, source.settings) ?? [])
    const person = account ?? act.as
    const answer = await ground.whileGroupsAre(act, valuesOf(named, open, person), () =>
      ground.send(row, act, caller, account),
    )
    return `${answer.status} ${answer.body?.code ?? 'success'}`
  }

  for (const opening of openings) {
    const { row, caller, names } = opening
    const { operationId, permission } = row
    const says = names.map(({ of, name }) => of + name).join(' and ')
    test(`${says}: ${operationId}${permission.act ? `: ${permission.act}` : ''}, ${caller} (SEC-MATRIX-2)`, async () => {
      const [code = '', status = '400'] = (permission.otherwise ?? 'BAD_REQUEST').split(' ')
      assert.equal(await outcome(opening, []), `${status} ${code}`)
      assert.equal(await outcome(opening, names), '200 success')
    })
  }
})

/** Values of all `named` settings: only `person` in those of `open`, and nobody who asks in the others. */
function valuesOf(named: readonly Named[], open: readonly Named[], person: Account): Map<Named, number | undefined> {
  const isOpen = ({ of, name }: Named): boolean => open.some((one) => one.of === of && one.name === name)
  return new Map(named.map((one) => [one, isOpen(one) ? person.userId : undefined]))
}
