import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readContract } from '../../conformance/wire/contract.ts'
import type { Exchange } from '../../conformance/wire/http.ts'
import { readSource } from '../../scripts/generate/source.ts'
import { type Cell, matrixOf, type Row } from '../../scripts/permissions/matrix.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { Ground } from './callers.ts'

const source = await readSource(join(import.meta.dirname, '../../openapi'))

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
