import { ids, type WrittenCheck } from '../kernel/check.ts'
import { fetched, needEditing, organizationOf, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'

const base = { area: 'Limits' } as const

/** Excess over the limit: of the longest text that is stored unchanged, and of the shortest that is not. */
const excesses = [0, 1] as const
/** One character each; the second has four bytes. */
const characters = ['a', '😀'] as const

export const checks: readonly WrittenCheck[] = [
  {
    id: 'limits/topic',
    title: 'a topic may be as long as POST /register says, and no longer; time limits are known, too',
    requirements: ids('LIMIT', [4, 6, 7, 8]),
    conditional: ['LIMIT-14'],
    async run(t) {
      const { user, channel } = await t.scene()
      const state = await organizationOf(user)
      for (const [requirement, name] of [
        ['LIMIT-6', 'realm_message_content_edit_limit_seconds'],
        ['LIMIT-7', 'realm_move_messages_within_stream_limit_seconds'],
        ['LIMIT-8', 'realm_move_messages_between_streams_limit_seconds'],
      ] as const) {
        const limit = state.body[name]
        const isSeconds = limit === null || (Number.isInteger(limit) && limit >= 0)
        t.that(requirement, state, isSeconds, `\`${name}\` is a number of seconds or null`)
      }
      const { max_topic_length: most } = state.body
      if (!t.that('LIMIT-4', state, isLength(most), '`max_topic_length` is a positive integer')) return
      for (const [excess, character] of excesses.flatMap((one) => characters.map((other) => [one, other] as const))) {
        const topic = character.repeat(most + excess)
        const sent = await user.call('send-message', { type: 'stream', to: channel.id, topic, content: 'Long.' })
        if (excess > 0 && isBadRequest(sent)) continue
        if (!t.that('LIMIT-4', sent, sent.status === 200, `a topic of ${most + excess} characters is taken`)) return
        const exchange = await fetched(user, sent.body.id)
        const { subject } = exchange.body.message
        t.that('LIMIT-4', exchange, isWithin(subject, topic, most), `\`subject\` ${bounds(excess, most)}`)
        if (excess > 0) t.that('LIMIT-14', exchange, String(subject).endsWith('...'), '`subject` ends in "..."')
      }
    },
  },
  {
    ...base,
    id: 'limits/content',
    title: 'a message may be as long as POST /register says, and no longer',
    requirements: ['MSG-EDIT-22'],
    conditional: ['LIMIT-15'],
    async run(t) {
      const { user, channel } = await t.scene()
      const state = await organizationOf(user)
      needEditing(t, state)
      const { max_message_length: most } = state.body
      if (!t.that('MSG-EDIT-22', state, isLength(most), '`max_message_length` is a positive integer')) return
      const topic = t.unique('limits')
      const id = await post(user, channel, topic, 'Short.')
      for (const excess of excesses) {
        // Mostly letters, because rendering that many emoji may take too long. The emoji also counts as one character.
        const content = `${'a'.repeat(most + excess - 1)}😀`
        const sent = await user.call('send-message', { type: 'stream', to: channel.id, topic, content })
        const edited = await user.call('update-message', { message_id: id, content })
        const direct = await user.call('send-message', { type: 'private', to: [user.userId], content })
        for (const stored of [sent, edited, direct]) {
          if (excess > 0 && isBadRequest(stored)) continue
          const isTaken = stored.status === 200
          if (!t.that('MSG-EDIT-22', stored, isTaken, `content of ${most + excess} characters is taken`)) return
          const exchange = await fetched(user, stored.body.id ?? id, { apply_markdown: false })
          const { content: kept } = exchange.body.message
          t.that('MSG-EDIT-22', exchange, isWithin(kept, content, most), `\`content\` ${bounds(excess, most)}`)
          const isMarked = String(kept).endsWith('\n[message truncated]')
          if (excess > 0) t.that('LIMIT-15', exchange, isMarked, '`content` ends in a line "[message truncated]"')
        }
      }
    },
  },
]

function isLength(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}

function isBadRequest({ body }: Exchange): boolean {
  return body?.code === 'BAD_REQUEST'
}

/** Counts code points: a surrogate pair is one character. */
function isWithin(kept: unknown, sent: string, most: number): boolean {
  const isShort = typeof kept === 'string' && [...kept].length <= most
  return isShort && ([...sent].length > most || kept === sent)
}

function bounds(excess: number, most: number): string {
  return excess > 0 ? `has at most ${most} characters` : 'is what was sent'
}
