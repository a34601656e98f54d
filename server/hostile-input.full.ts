import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validRequest } from '../conformance/acts/valid-request.ts'
import { requestOfPairs } from '../conformance/deployment/account.ts'
import type { Deployment } from '../conformance/deployment/deployment.ts'
import { deploymentAt } from '../conformance/deployment/deployment-testing.ts'
import { PushRelay } from '../conformance/deployment/push-relay.ts'
import { anyChanges, changedPairs, surestChanges } from '../conformance/inputs/nasty-values.ts'
import { bareContext } from '../conformance/kernel/bare-context-testing.ts'
import { endsItsCaller } from '../conformance/kernel/ends-caller.ts'
import { fc } from '../conformance/seed-testing.ts'
import { readContract } from '../conformance/wire/contract.ts'
import { onEachDatabase, sharedParley } from './testing.ts'

const contract = readContract()
const relay = await PushRelay.listen()
/** Generated requests an operation; together a few seconds on each database. */
const numRuns = 30

// The suite sends such values as a member, whom many operations refuse (envelope/hostile).
onEachDatabase('hostile input of people with rights', (dialect) => {
  // With these every operation can succeed.
  const parley = sharedParley(dialect, { pushRelayUrl: relay.url, hasDevelopmentLogin: true, heartbeatSeconds: 0.05 })
  let opened: Promise<Deployment> | undefined

  for (const operation of contract.operations.values()) {
    if (operation.endsService || endsItsCaller(operation)) continue
    test(`${operation.id}: the server does not fail, and answers as the contract says`, async () => {
      opened ??= parley().then((server) => deploymentAt(server))
      const { as, values } = await validRequest(bareContext(await opened, operation.id), operation)
      await fc.assert(
        fc.asyncProperty(anyChanges(operation), async (changes) => {
          const { status, text } = await as.send(requestOfPairs(operation, changedPairs(values, changes)))
          assert.ok(status < 500, text)
        }),
        { numRuns, examples: surestChanges(operation).map((changes) => [changes]) },
      )
    })
  }
})
