import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ONBOARDING_STEPS } from '../../domain/onboarding-steps.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/me/onboarding_steps', (dialect) => {
  const parley = sharedParley(dialect)

  test('one of several clients that have seen a step at once announces it', async () => {
    const server = await parley()
    const user = await server.newUser()
    const heard = await user.listen(['onboarding_steps'])
    const names = (steps: { name: string }[]) => steps.map(({ name }) => name)
    const [onboarding_step, ...others] = ONBOARDING_STEPS
    const seen = () => user.must('POST', '/users/me/onboarding_steps', { onboarding_step })
    await Promise.all([seen(), seen(), seen()])
    const told = (await heard()).map(({ onboarding_steps }) => names(onboarding_steps))
    assert.deepEqual(told, [others])
    const { body } = await user.post('/users/me/onboarding_steps', { onboarding_step: 'constructor' })
    assert.equal(body.msg, 'Unknown onboarding_step: constructor')
  })
})
