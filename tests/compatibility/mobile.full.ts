import { after, describe, test } from 'node:test'
import { PushRelay } from '../../conformance/deployment/push-relay.ts'
import { fileCleanup } from '../../server/process-testing.ts'
import { checksOf } from './client-run.ts'
import { mobile } from './mobile.ts'

const relay = await PushRelay.listen()
after(() => relay.stop())
const environment = { ...mobile.environment, PARLEY_PUSH_RELAY_URL: relay.url }

describe(mobile.name, () => {
  for (const { name, run } of checksOf({ ...mobile, environment }, fileCleanup())) test(name, run)
})
