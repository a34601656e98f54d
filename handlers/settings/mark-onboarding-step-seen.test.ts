import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ONBOARDING_STEPS } from '../../domain/onboarding-steps.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/me/onboarding_steps', (dialect) => {
  const parley = sharedParley(dialect)

  test('of several clients that have shown a notice at once, the first is told of', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { queue_id, ...state } = await user.must('POST', '/register', { event_types: ['onboarding_steps'] })
    const names = (steps: { name: string }[]) => steps.map(({ name }) => name)
    assert.deepEqual(names(state.onboarding_steps), ONBOARDING_STEPS)
    const [onboarding_step, ...others] = ONBOARDING_STEPS
    const seen = () => user.must('POST', '/users/me/onboarding_steps', { onboarding_step })
    await Promise.all([seen(), seen(), seen()])
    const { events } = await user.must('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
    assert.deepEqual(
      events.map((event: { onboarding_steps: { name: string }[] }) => names(event.onboarding_steps)),
      [others],
    )
    const { body } = await user.post('/users/me/onboarding_steps', { onboarding_step: 'constructor' })
    assert.equal(body.msg, 'Unknown onboarding_step: constructor')
  })
})
