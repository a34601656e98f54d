import { operationNamed } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { organizationOf, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, listOf, objectsIn } from '../../wire/values.ts'

/** Lists of more than two things, and texts of the maximum length. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-message-flags/many',
    'every message of a list counts, and no other',
    ['update-message-flags', 'check-messages-match-narrow', 'send-message', 'get-messages'],
    async (t, shows) => {
      const { user, other, channel } = await t.scene()
      const topic = t.unique('many')
      const ids: number[] = []
      for (let count = 0; count < 14; count += 1) ids.push(await post(user, channel, topic, `Number ${count}.`))
      // Neither the first nor the last ones, and in another order.
      const messages = ids.filter((_, index) => index % 5 !== 0).toReversed()
      const narrow = [
        { operator: 'stream', operand: channel.id },
        { operator: 'topic', operand: topic },
      ]
      for (const [op, wanted] of [
        ['add', messages],
        ['remove', []],
      ] as const) {
        const done = await other.must('update-message-flags', { messages, op, flag: 'starred' })
        if (t.isParley) shows(done, isSetOf(done.body.messages, messages), `\`messages\` are ${messages}`)
        const list = await other.must('get-messages', { anchor: ids[0], num_before: 0, num_after: 50, narrow })
        const starred = objectsIn(list.body.messages).filter(({ flags }) => flags.includes('starred'))
        shows(
          list,
          isSetOf(
            starred.map(({ id }) => id),
            wanted,
          ),
          `the flag \`starred\` at [${wanted}]`,
        )
      }
      const matching = await other.must('check-messages-match-narrow', { msg_ids: messages, narrow })
      const matched = Object.keys(matching.body.messages).map(Number)
      shows(matching, isSetOf(matched, messages), `records of ${messages}`)
    },
  ),
  effectNamed(
    'effects/subscribe/many',
    'every channel, every person and every word of a list counts, and no other',
    ['subscribe', 'unsubscribe', 'update-subscriptions', 'get-subscribers', 'add-alert-words', 'remove-alert-words'],
    async (t, shows) => {
      const { user, other } = await t.scene()
      const people = [user, other, await t.user(), await t.user()]
      const names = [1, 2, 3, 4].map(() => t.unique('many'))
      const [left = '', kept = '', ...others] = names
      const all = names.map((name) => ({ name }))
      const follow = async (ask: Promise<Exchange>, wanted: readonly string[], who = user): Promise<void> => {
        const asked = await ask
        shows(asked, asked.status === 200, 'success')
        const list = await who.must('get-subscriptions')
        const has = objectsIn(list.body.subscriptions).map(({ name }) => String(name))
        const ours = names.filter((name) => has.includes(name))
        shows(list, ours.join() === wanted.join(), `of the channels ${names} those with the names ${wanted}`)
      }
      const ids = people.map(({ userId }) => userId)
      await follow(user.call('subscribe', { subscriptions: all, principals: ids }), names)
      const list = await user.must('get-subscriptions')
      for (const name of names) {
        const id = objectsIn(list.body.subscriptions).find((one) => one.name === name)?.stream_id
        const members = await user.must('get-subscribers', { stream_id: id })
        shows(members, isSetOf(members.body.subscribers, ids), `\`subscribers\` of "${name}" are ${ids}`)
      }
      await follow(other.call('unsubscribe', { subscriptions: [left, ...others] }), [kept], other)
      await follow(
        other.call('update-subscriptions', { add: others.map((name) => ({ name })) }),
        [kept, ...others],
        other,
      )
      await follow(
        other.call('update-subscriptions', { delete: [kept, ...others], add: [{ name: left }] }),
        [left],
        other,
      )
      const words = names.map((name) => `word ${name}`)
      for (const [operation, some, wanted] of [
        ['add-alert-words', words, words],
        ['remove-alert-words', words.slice(1), words.slice(0, 1)],
        ['remove-alert-words', words, []],
      ] as const) {
        await other.must(operation, { alert_words: some })
        const own = await other.must('get-alert-words')
        const has = words.filter((word) => listOf(own.body.alert_words).includes(word))
        shows(own, has.join() === wanted.join(), `of the words ${words} those that are ${wanted || 'none'}`)
      }
      const { parameters } = operationNamed(t.deployment.contract, 'get-users')
      if (!parameters.some(({ name }) => name === 'user_ids')) return
      const asked = ids.slice(1)
      const found = await user.must('get-users', { user_ids: asked })
      const has = objectsIn(found.body.members).map(({ user_id: id }) => id)
      shows(found, isSetOf(has, asked), `users ${asked}, and no others`)
    },
  ),
  effectNamed(
    'effects/subscribe/longest',
    'names, descriptions and statuses that are just as long as they may be stay as they are',
    ['subscribe', 'get-subscriptions', 'update-own-status', 'get-user-status', 'register-queue'],
    async (t, shows) => {
      const { user, other } = await t.scene()
      const { body: state } = await organizationOf(user)
      const ofLength = (most: number): string => longest(`${t.unique('Längste 😀')} `.padEnd(most + 1, 'ä'), most)
      const mosts = [Number(state.max_stream_name_length ?? 60), Number(state.max_stream_description_length ?? 1024)]
      const [name = '', description = ''] = mosts.map(ofLength)
      const made = await user.call('subscribe', { subscriptions: [{ name, description }] })
      if (shows(made, made.status === 200, 'success: the name and the description are not too long')) {
        const list = await user.must('get-subscriptions')
        const own = objectsIn(list.body.subscriptions).find((one) => one.name === name)
        shows(list, own !== undefined, `a channel with the name "${name}", of ${mosts[0]} characters`)
        shows(list, own?.description === description, `a description of ${mosts[1]} characters, as it was sent`)
      }
      const status_text = ofLength(60)
      await user.must('update-own-status', { status_text })
      const status = await other.must('get-user-status', { user_id: user.userId })
      shows(
        status,
        status.body.status.status_text === status_text,
        `\`status_text\` is "${status_text}", of 60 characters`,
      )
      await user.must('update-own-status', { status_text: '' })
    },
  ),
]

/** The first `most` characters as people count them. */
function longest(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}
