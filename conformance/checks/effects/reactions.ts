import type { Account } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { fetched, post } from '../../kernel/messaging.ts'
import { type Json, listOf } from '../../wire/values.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/add-reaction/order',
    'reactions are in the order in which they were added, wherever they are read',
    ['add-reaction', 'remove-reaction', 'send-message', 'get-message', 'get-messages'],
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const message_id = await post(user, channel, topic, 'In turn, please.')
      const all = [user, other, third].toSorted((one, two) => two.userId - one.userId)
      const given: [Account, string][] = []
      // Several emoji by turns, the newest account first: by emoji or by account would be another order.
      for (const emoji of ['tada', 'octopus', 'heart']) for (const person of all) given.push([person, emoji])
      const turns = given.toSorted(([one, first], [two, second]) => turnOf(all, one, first) - turnOf(all, two, second))
      for (const [person, emoji_name] of turns) await person.must('add-reaction', { message_id, emoji_name })
      const [first] = turns
      if (first === undefined) return
      await first[0].must('remove-reaction', { message_id, emoji_name: first[1] })
      await first[0].must('add-reaction', { message_id, emoji_name: first[1] })
      const wanted = [...turns.slice(1), first].map(([{ userId }, emoji]) => `${emoji} of ${userId}`).join(', ')
      const range = { anchor: message_id, num_before: 0, num_after: 0 }
      const alone = await fetched(other, message_id)
      for (const [exchange, message] of [
        [alone, alone.body.message],
        ...(await Promise.all(
          [{}, { apply_markdown: false }, { narrow: [['stream', channel.name]] }].map(async (values) => {
            const list = await other.must('get-messages', { ...range, ...values })
            return [list, list.body.messages[0]] as const
          }),
        )),
      ] as const) {
        const has = listOf(message?.reactions).map((one: Json) => `${one.emoji_name} of ${one.user_id}`)
        shows(exchange, has.join(', ') === wanted, `the reactions ${wanted}, in this order`)
      }
    },
  ),
  effectNamed(
    'effects/add-reaction/names',
    'an emoji is one, whichever of its names is used',
    ['add-reaction', 'remove-reaction', 'send-message', 'get-message'],
    async (t, shows, { user, channel, topic }) => {
      const message_id = await post(user, channel, topic, 'By any name.')
      const thumb = { emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
      await user.must('add-reaction', { message_id, emoji_name: '+1' })
      for (const values of [{ emoji_name: '+1' }, { emoji_name: 'thumbs_up' }, { emoji_name: '+1', ...thumb }]) {
        const again = await user.call('add-reaction', { message_id, ...values })
        // Each server decides which other names an emoji has.
        if (values.emoji_name === 'thumbs_up' && again.body?.code === 'BAD_REQUEST') continue
        const isKnown = t.level < 193 ? again.status === 400 : again.body?.code === 'REACTION_ALREADY_EXISTS'
        shows(again, isKnown, `REACTION_ALREADY_EXISTS: ${JSON.stringify(values)} is the emoji that is there`)
      }
      const exchange = await fetched(user, message_id)
      const has = listOf(exchange.body.message.reactions).map((one: Json) => one.emoji_code)
      shows(exchange, has.join() === thumb.emoji_code, 'one reaction')
    },
  ),
]

/** By turns: the first account's first emoji, the second one's second, and so on. */
function turnOf(people: readonly Account[], person: Account, emoji: string): number {
  const [who, what] = [people.indexOf(person), ['tada', 'octopus', 'heart'].indexOf(emoji)]
  return ((what - who + people.length) % people.length) * people.length + who
}
