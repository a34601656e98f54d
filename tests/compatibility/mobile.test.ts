import { describe, test } from 'node:test'
import { fileCleanup } from '../../server/process-testing.ts'
import { checksOf } from './client-run.ts'
import { mobile } from './mobile.ts'

describe(mobile.name, () => {
  for (const { name, run } of checksOf(mobile, fileCleanup())) test(name, run)
})
