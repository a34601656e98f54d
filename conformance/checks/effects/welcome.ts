import { whileSet } from '../../deployment/organization.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, type Shows } from '../../kernel/effect.ts'
import { fetched } from '../../kernel/messaging.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

export const checks: readonly Check[] = [
  {
    ...effectNamed(
      'effects/preview-welcome-message',
      'new accounts receive the organization’s welcome text, which administrators can preview',
      (t, shows) => t.unlessDisturbed(() => greets(t, shows)),
    ),
    also: ['preview-welcome-message'],
    isForAll: true,
  },
]

const isBots = ({ sender_email: sender }: Json): boolean => /^(?:notification|welcome)-bot@/.test(sender)

async function greets(t: CheckContext, shows: Shows): Promise<void> {
  const administrator = t.person('administrator')
  const { user } = await t.scene()
  const text = t.unique('Welcome')
  const seen = await administrator.must('preview-welcome-message', { welcome_message_custom_text: `**${text}**` })
  const shown = await fetched(administrator, Number(seen.body.message_id))
  const { message } = shown.body
  const isGreeting = message.content.includes(`<strong>${text}</strong>`) && message.type === 'private'
  shows(shown, isGreeting && isBots(message), `a direct message of a bot of the server with "${text}"`)
  const foreign = await user.call('get-message', { message_id: seen.body.message_id })
  refuses(shows, foreign, 'the message is for the person who requested it')
  const long = await administrator.call('preview-welcome-message', { welcome_message_custom_text: 'x'.repeat(8001) })
  refuses(shows, long, 'the text has 8,001 characters')
  await whileSet(t.person('owner'), [user], { welcome_message_custom_text: text }, async () => {
    const newcomer = await t.newUser()
    const read = await newcomer.must('get-messages', { anchor: 'newest', num_before: 5, num_after: 0 })
    const isGreeted = listOf(read.body.messages).some((one: Json) => one.content.includes(text) && isBots(one))
    shows(read, isGreeted, `a message with "${text}" for a new user`)
  })
}
