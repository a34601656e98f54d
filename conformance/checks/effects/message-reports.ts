import { described } from '../../deployment/described.ts'
import { whileSet } from '../../deployment/organization.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, heardSoFar, listen } from '../../kernel/listening.ts'
import { post, postTo } from '../../kernel/messaging.ts'
import { idOfNothing } from '../../provocations/provocation.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

export const checks: readonly Check[] = [
  {
    ...effectNamed(
      'effects/report-message',
      'a report of a message is posted to the moderation channel, and to nobody else',
      (t, shows) => t.unlessDisturbed(() => reports(t, shows)),
    ),
    also: ['report-message'],
    isCostly: true,
    isForAll: true,
  },
]

async function reports(t: CheckContext, shows: Shows): Promise<void> {
  const { user: author, other: reporter, channel, topic } = await t.scene()
  const moderator = await t.user()
  const office = await t.channel(moderator, [], true)
  const people = [author, reporter, moderator]
  const set = (id: number, body: () => Promise<void>) =>
    whileSet(t.person('owner'), people, { moderation_request_channel_id: id }, body)
  const said = t.unique('Reported')
  const message_id = await post(author, channel, topic, said)
  const refused = async (values: Json, why: string) => {
    const answer = await reporter.call('report-message', { message_id, report_type: 'spam', ...values })
    refuses(shows, answer, why)
  }
  await set(-1, () => refused({}, 'nobody moderates'))
  await set(office.id, async () => {
    const hears = await listen(moderator, ['message'])
    const [authors, reporters] = [await listen(author, ['message']), await listen(reporter, ['message'])]
    const hidden = await postTo(moderator, [author], 'Not for the reporter.')
    await refused({ message_id: hidden }, 'the message is not theirs to read')
    await refused({ message_id: idOfNothing }, 'there is no such message')
    await refused({ report_type: 'conformance' }, 'nobody knows this reason')
    await refused({ report_type: 'other' }, 'the reason `other` requires a description')
    const description = t.unique('Because')
    const { body: organization } = await described(reporter, ['realm'])
    for (const { key } of listOf(organization.server_report_message_types)) {
      await reporter.must('report-message', { message_id, report_type: key, description })
      const isReport = ({ message }: Json): boolean => message?.stream_id === office.id
      const heard = await eventOf(shows, hears, isReport, `of a message in channel ${office.id}`)
      const { content, sender_email } = heard?.event.message ?? {}
      if (heard === undefined) return
      const isQuoted = [said, description].every((text) => String(content).includes(text))
      shows(heard.exchange, isQuoted, `"${said}" and "${description}" in a message that moderators can read`)
      shows(heard.exchange, /^notification-bot@/.test(sender_email), 'a message of the notification bot')
    }
    for (const [queue, listener, sender] of [
      [authors, author, moderator],
      [reporters, reporter, moderator],
    ] as const) {
      const foreign = ({ message }: Json): boolean => message?.stream_id === office.id
      for (const { events, exchange } of (await heardSoFar(shows, [queue], sender, listener)) ?? [])
        shows(exchange, !events.some(foreign), `no message in channel ${office.id}, which is not theirs to read`)
    }
  })
}
