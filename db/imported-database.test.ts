import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase, onBothDatabases } from '../server/testing.ts'
import { ImportedDatabase } from './imported-database.ts'

onBothDatabases('a database filled with an archive', (dialect) => {
  test('takes more pictures than MariaDB takes in one statement', async (t) => {
    const { location, remove } = await emptyDatabase(dialect)
    t.after(remove)
    const database = await ImportedDatabase.open(location)
    const bytes = new Uint8Array(512 * 1024)
    for (let number = 1; number <= 40; number += 1) {
      await database.add('picture', { path: `emoji/${number}`, bytes }, 'here')
    }
    await database.flush()
    const row = await database.session.get<{ count: number }>('select count(*) as count from picture')
    assert.equal(Number(row?.count), 40)
    await database.abandon()
  })
})
