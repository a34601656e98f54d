import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readContract } from '../../conformance/wire/contract.ts'
import type { Exchange } from '../../conformance/wire/http.ts'
import { type Operation, operationsOf, type Permission } from '../../scripts/generate/document.ts'
import { partsOf, settingOf } from '../../scripts/generate/permissions.ts'
import { readSource } from '../../scripts/generate/source.ts'
import { withoutTesting } from '../../scripts/generate/testing-paths.ts'
import { type Cell, matrixOf, type Row } from '../../scripts/permissions/matrix.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { Ground } from './callers.ts'

const source = await readSource(join(import.meta.dirname, '../../openapi'))

type Change = (operation: Operation) => void

/** The rows of one operation, as if the contract said something else. */
function rowsOf(operationId: string, change: Change = () => undefined): Row[] {
  const found = operationsOf(source.document).find((one) => one.operation.operationId === operationId)
  assert.ok(found, operationId)
  const { path, method, operation } = found
  const changed = structuredClone(operation)
  change(changed)
  return matrixOf({ ...source, document: { ...source.document, paths: { [path]: { [method]: changed } } } })
}

/** openings.test.ts checks rules that name settings, setting by setting. */
function namesSettings({ by = [] }: Permission): boolean {
  return by.flatMap(partsOf).some((part) => settingOf(part, source.settings) !== undefined)
}

test('every role, mark and rule of the contract is in a cell: none changes and the matrix stays', () => {
  const roles = ['anonymous', 'guest', 'member', 'moderator', 'administrator', 'owner']
  const cellsOf = (rows: readonly Row[]): string => JSON.stringify(rows.map(({ cells }) => [...cells]))
  const unnoticed: string[] = []
  for (const { operation } of operationsOf(withoutTesting(source.document))) {
    const { operationId: id, 'x-minimum-role': role = '', 'x-permissions': permissions = [] } = operation
    const notice = (what: string, change: Change): void => {
      if (cellsOf(rowsOf(id, change)) === cellsOf(rowsOf(id))) unnoticed.push(`${id}: ${what}`)
    }
    for (const other of roles.filter((one) => one !== role)) {
      notice(`${other} instead of ${role}`, (one) => Object.assign(one, { 'x-minimum-role': other }))
    }
    if (operation['x-humans-only']) notice('bots', (one) => Object.assign(one, { 'x-humans-only': false }))
    for (const [index, permission] of permissions.entries()) {
      if (namesSettings(permission)) continue
      notice(`without rule ${index}`, (one) => Object.assign(one, { 'x-permissions': permissions.toSpliced(index, 1) }))
    }
  }
  assert.deepEqual(unnoticed, [])
})

onEachDatabase('the matrix of permissions', (dialect) => {
  let ground: Ground
  before(async () => {
    ground = await Ground.open(dialect)
  })
  after(() => ground.close())

  async function wrongCells(rows: readonly Row[]): Promise<string[]> {
    const wrong: string[] = []
    for (const row of rows) wrong.push(...(endsService(row) ? await lastWords(row) : await wrongOf(row, ground)))
    return wrong
  }

  async function wrongOf({ cells, ...row }: Row, at: Ground): Promise<string[]> {
    const wrong: string[] = []
    for (const [caller, cell] of cells) {
      const answer = await at.ask({ ...row, cells }, caller)
      if (isSo(answer, cell)) continue
      const { operationId, permission } = row
      const act = permission.act === undefined ? '' : `: ${permission.act}`
      wrong.push(`${operationId}${act}, ${caller}: ${said(answer)}, not ${JSON.stringify(cell)}`)
    }
    return wrong
  }

  /** Runs on its own server, with the successful caller last, because nobody is served afterwards. */
  async function lastWords(row: Row): Promise<string[]> {
    const own = await Ground.open(dialect)
    try {
      const cells = [...row.cells].sort(
        ([, one], [, other]) => Number(one.status === 200) - Number(other.status === 200),
      )
      return await wrongOf({ ...row, cells: new Map(cells) }, own)
    } finally {
      await own.close()
    }
  }

  test('every cell is what the server answers (SEC-MATRIX-1)', async () => {
    assert.deepEqual(await wrongCells(matrixOf(source)), [])
  })
})

function endsService({ operationId }: Row): boolean {
  return readContract().operations.get(operationId)?.endsService === true
}

/** Refusals by role and kind of account, which a rule about a thing does not give. */
const BY_ROLE = /^(Not allowed for guest users|Must be an organization \w+|This (endpoint|API) .* bot.*)$/

function isSo({ status, body }: Exchange, cell: Cell): boolean {
  const isSaid = cell.msg === undefined ? !BY_ROLE.test(body?.msg) : body?.msg === cell.msg
  return status === cell.status && body?.code === cell.code && isSaid
}

function said({ status, text }: Exchange): string {
  return `${status} ${text.slice(0, 200)}`
}
