import { describe, test } from 'node:test'
import { fileCleanup } from '../../server/process-testing.ts'
import { checksOf } from './client-run.ts'
import { terminal } from './terminal.ts'

describe(terminal.name, () => {
  for (const { name, run } of checksOf(terminal, fileCleanup())) test(name, run)
})
