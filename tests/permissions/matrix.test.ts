import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Exchange } from '../../conformance/wire/http.ts'
import { readSource } from '../../scripts/generate/source.ts'
import { type Cell, matrixOf, type Row } from '../../scripts/permissions/matrix.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { Ground } from './callers.ts'

const source = await readSource(join(import.meta.dirname, '../../openapi'))

onEachDatabase('the permission matrix', (dialect) => {
  let ground: Ground
  before(async () => {
    ground = await Ground.open(dialect)
  })
  after(() => ground.close())

  async function wrongOf(row: Row): Promise<string[]> {
    const { operationId, permission } = row
    const act = permission.act === undefined ? '' : `: ${permission.act}`
    const wrong: string[] = []
    for (const [caller, cell] of row.cells) {
      const answer = await ground.ask(row, caller)
      if (!isSo(answer, cell))
        wrong.push(`${operationId}${act}, ${caller}: ${said(answer)}, not ${JSON.stringify(cell)}`)
    }
    return wrong
  }

  test('every cell matches the server (SEC-MATRIX-1)', async () => {
    const wrong: string[] = []
    for (const row of matrixOf(source)) wrong.push(...(await wrongOf(row)))
    assert.deepEqual(wrong, [])
  })
})

/** Refusals by role and kind of account, which a rule about a thing does not give. */
const BY_ROLE = /^(Not allowed for guest users|Must be an organization \w+|This (endpoint|API) .* bot.*)$/

function isSo({ status, body }: Exchange, cell: Cell): boolean {
  const isSaid = cell.msg === undefined ? !BY_ROLE.test(body?.msg) : body?.msg === cell.msg
  return status === cell.status && body?.code === cell.code && isSaid
}

function said({ status, text }: Exchange): string {
  return `${status} ${text.slice(0, 200)}`
}
