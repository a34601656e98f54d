import { notices } from '../../acts/onboarding-steps.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

const [, name] = notices

export const checks: readonly Check[] = [
  effect('mark-onboarding-step-seen', 'an onboarding step that was seen is not shown again', async (t, shows) => {
    const user = await t.newUser()
    const queue = await listen(user, ['onboarding_steps'])
    const names = (body: Json) => listOf(body.onboarding_steps).map((step) => step.name)
    const registered = () => user.must('register-queue', { event_types: ['onboarding_steps'] })
    const before = await registered()
    if (!shows(before, names(before.body).includes(name), `the notice ${name}, which nobody has seen yet`)) return
    const left = names(before.body).filter((one) => one !== name)
    const unknown = await user.call('mark-onboarding-step-seen', { onboarding_step: 'conformance' })
    refuses(shows, unknown, 'there is no such notice')
    await user.must('mark-onboarding-step-seen', { onboarding_step: name })
    const told = await eventOf(shows, queue, { type: 'onboarding_steps' })
    if (told) shows(told.exchange, names(told.event).join() === left.join(), `the others: ${left}`)
    const after = await registered()
    shows(after, names(after.body).join() === left.join(), `the others: ${left}`)
    await user.must('mark-onboarding-step-seen', { onboarding_step: name })
  }),
]
