import { newUserGroup } from '../../acts/user-groups.ts'
import type { Account } from '../../deployment/account.ts'
import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { fetched, organizationOf, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { type Json, listOf, objectsIn } from '../../wire/values.ts'
import { succeeds } from '../outcomes.ts'
import { ownOf } from '../subscriptions.ts'

/**
 * Texts that test Unicode forms, case and escaping: compatibility characters, HTML characters, right-to-left letters,
 * and several alphabets.
 */
const texts = ['ﬁne ½ Ａ', 'Tom & "Jerry" <b>', 'שלום 日本語', 'Straße Ørsted', '𝒜 🎉']
/** Some servers refuse more characters in names: those of their own syntax. */
const names = ['ﬁne ½ Ａ', 'שלום 日本語', "Straße O'Ørsted"]
/** Contents allow more: joined emoji, combining marks, white space, and all of Markdown. */
const contents = [
  ...[...texts, '👩‍👩‍👧 ☕️', 'Zoe\u0301 a\u00a0b', 'two  blanks\n    and a tab:\t.'],
  'a \\ `` ```\n~~~ quote\n> - |-|-| $$ ~~ @** #** &amp; [a](b) https://example.com/ :octopus: \\z',
]

/** Every stored text comes back exactly as sent, wherever it appears. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/send-message/texts',
    'topics and contents are stored exactly, in all scripts',
    async (t, shows, { user, other, channel }) => {
      const queue = await listen(other, ['message'], { apply_markdown: false })
      const sent: { id: number; topic: string; content: string }[] = []
      for (const [index, content] of contents.entries()) {
        const topic = topicOf(t, texts[index % texts.length] ?? '')
        sent.push({ id: await post(user, channel, topic, content), topic, content })
      }
      const first = sent[0]?.id ?? 0
      const raw = { apply_markdown: false }
      const list = await other.must('get-messages', { anchor: first, num_before: 0, num_after: 1000, ...raw })
      const topics = await other.must('get-stream-topics', { stream_id: channel.id })
      for (const { id, topic, content } of sent) {
        const told = await eventOf(shows, queue, { type: 'message', message: { id } })
        if (told === undefined) return
        const alone = await fetched(other, id, raw)
        for (const [exchange, message] of [
          [told.exchange, told.event.message],
          [alone, alone.body.message],
          [list, list.body.messages.find((one: Json) => one.id === id)],
        ] as const) {
          shows(exchange, message?.subject === topic, `\`subject\` of message ${id} is ${JSON.stringify(topic)}`)
          shows(exchange, message?.content === content, `\`content\` of message ${id} is ${JSON.stringify(content)}`)
        }
        const isListed = topics.body.topics.some(({ name, max_id }: Json) => name === topic && max_id === id)
        shows(topics, isListed, `the topic ${JSON.stringify(topic)}, with \`max_id\` ${id}`)
      }
    },
  ),
  effectNamed(
    'effects/update-message/texts',
    'edited contents are stored exactly, in all scripts',
    async (t, shows, { user, other, channel, topic }) => {
      const queue = await listen(other, ['update_message'])
      const message_id = await post(user, channel, topic, 'To be changed.')
      for (const content of contents) {
        const answer = await user.call('update-message', { message_id, content })
        if (answer.status !== 200) t.leaveOut(`messages cannot be changed here: ${answer.body?.msg}`)
        const told = await eventOf(shows, queue, { type: 'update_message', message_id })
        if (told === undefined) return
        const alone = await fetched(other, message_id, { apply_markdown: false })
        const history = await other.call('get-message-history', { message_id })
        const versions = listOf(history.body?.message_history)
        for (const [exchange, text] of [
          [told.exchange, told.event.content],
          [alone, alone.body.message.content],
          ...(history.status === 200 ? ([[history, versions.at(-1)?.content]] as const) : []),
        ] as const) {
          shows(exchange, text === content, `\`content\` is ${JSON.stringify(content)}`)
        }
      }
    },
  ),
  effectNamed(
    'effects/update-own-status/texts',
    'statuses, alert words and topic names are stored exactly, in all scripts',
    async (t, shows, { user, channel }) => {
      const types = ['user_status', 'alert_words', 'user_topic']
      const queue = await listen(user, types)
      for (const text of texts) {
        const own = topicOf(t, text)
        await user.must('update-own-status', { status_text: own })
        await user.must('add-alert-words', { alert_words: [own] })
        await user.must('update-user-topic', { stream_id: channel.id, topic: own, visibility_policy: 3 })
        const said = await eventOf(shows, queue, { type: 'user_status', user_id: user.userId })
        const words = await eventOf(shows, queue, { type: 'alert_words' })
        const topic = await eventOf(shows, queue, { type: 'user_topic', stream_id: channel.id })
        if (said === undefined || words === undefined || topic === undefined) return
        const state = await EventQueue.open(user, { event_types: types })
        const { registered } = state
        const status = await user.must('get-user-status', { user_id: user.userId })
        const listed = await user.must('get-alert-words')
        const policies = listOf(registered.body.user_topics)
        for (const [exchange, what, isThere] of [
          [said.exchange, '`status_text`', said.event.status_text === own],
          [status, '`status_text`', status.body.status.status_text === own],
          [registered, '`status_text`', registered.body.user_status?.[user.userId]?.status_text === own],
          [words.exchange, 'an alert word', listOf(words.event.alert_words).includes(own)],
          [listed, 'an alert word', listOf(listed.body.alert_words).includes(own)],
          [registered, 'an alert word', listOf(registered.body.alert_words).includes(own)],
          [topic.exchange, '`topic_name`', topic.event.topic_name === own],
          [registered, '`topic_name`', policies.some((one: Json) => one.topic_name === own)],
        ] as const) {
          shows(exchange, isThere, `${what} is ${JSON.stringify(own)}`)
        }
        await user.must('remove-alert-words', { alert_words: [own] })
        const isGone = ({ type, alert_words: left }: Json): boolean => type === 'alert_words' && !left.includes(own)
        if (!(await eventOf(shows, queue, isGone, `that ${JSON.stringify(own)} is no alert word any more`))) return
        await user.must('update-user-topic', { stream_id: channel.id, topic: own, visibility_policy: 0 })
        if (!(await eventOf(shows, queue, { type: 'user_topic', topic_name: own, visibility_policy: 0 }))) return
      }
      await user.must('update-own-status', { status_text: '' })
    },
  ),
  effectNamed(
    'effects/subscribe/texts',
    'names of channels and people are stored exactly, in all scripts',
    async (t, shows) => {
      const admin = t.person('administrator')
      const user = await t.newUser()
      const queue = await listen(user, ['subscription', 'realm_user'])
      for (const text of names) {
        const name = topicOf(t, text)
        await user.must('subscribe', { subscriptions: [{ name, description: text }] })
        const isAdded = ({ op, subscriptions = [] }: Json): boolean =>
          op === 'add' && subscriptions.some((one: Json) => one.name === name && one.description === text)
        if (!(await eventOf(shows, queue, isAdded, `that channel "${name}" is followed`))) return
        const found = await user.call('get-stream-id', { stream: name })
        const id = Number(found.body?.stream_id)
        if (!shows(found, found.status === 200, `the ID of the channel "${name}"`)) return
        const [list, alone] = [await user.must('get-subscriptions'), await user.must('get-stream', { stream_id: id })]
        for (const [exchange, channel] of [
          [list, ownOf(list, { id })],
          [alone, alone.body.stream],
        ] as const) {
          const isRight = channel?.name === name && channel.description === text
          shows(exchange, isRight, `channel ${id} has the name "${name}" and the description "${text}"`)
        }
        await isCalled(admin, user, name)
      }

      async function isCalled(boss: Account, person: Account, full_name: string): Promise<void> {
        const ids = { user_id_or_email: person.userId }
        if (!succeeds(shows, await boss.call('update-user', { ...ids, full_name }), `"${full_name}" is a name`)) return
        const { userId: user_id } = person
        await eventOf(shows, queue, { type: 'realm_user', op: 'update', person: { user_id, full_name } })
        const known = await boss.must('get-user', ids)
        shows(known, known.body.user.full_name === full_name, `\`full_name\` is "${full_name}"`)
        // Servers may keep the spaces around a name or not.
        await boss.must('update-user', { ...ids, full_name: `  ${full_name} 2  ` })
        const { full_name: kept } = (await boss.must('get-user', ids)).body.user
        await eventOf(shows, queue, { type: 'realm_user', op: 'update', person: { user_id, full_name: kept } })
      }
    },
  ),
  effectNamed(
    'effects/subscribe/longest',
    'names, descriptions and statuses of the maximum length are stored in full',
    async (t, shows, { user, other }) => {
      const { body: state } = await organizationOf(user)
      const ofLength = (most: number): string => longest(`${t.unique('Längste 😀')} `.padEnd(most + 1, 'ä'), most)
      const mosts = [Number(state.max_stream_name_length ?? 60), Number(state.max_stream_description_length ?? 1024)]
      const [name = '', description = ''] = mosts.map(ofLength)
      const made = await user.call('subscribe', { subscriptions: [{ name, description }] })
      if (succeeds(shows, made, 'the name and the description are not too long')) {
        const list = await user.must('get-subscriptions')
        const own = objectsIn(list.body.subscriptions).find((one) => one.name === name)
        shows(list, own !== undefined, `a channel with the name "${name}", of ${mosts[0]} characters`)
        shows(list, own?.description === description, `a description of ${mosts[1]} characters, as it was sent`)
      }
      const status_text = ofLength(60)
      await user.must('update-own-status', { status_text })
      const status = await other.must('get-user-status', { user_id: user.userId })
      const says = `\`status_text\` is "${status_text}", of 60 characters`
      shows(status, status.body.status.status_text === status_text, says)
      await user.must('update-own-status', { status_text: '' })
    },
  ),
  effectNamed('effects/subscribe/white-space', 'white space around names is removed', async (t, shows, { user }) => {
    const admin = t.person('administrator')
    const person = await t.newUser()
    const wide = (name: string): string => ` \t${name} \n`
    const fresh = (): string => t.unique('conformance')
    const is = (exchange: Exchange, found: Json, name: string): boolean =>
      shows(exchange, found === name, `"${name}", which was sent with white space around it`)
    const isListed = async (list: 'user_groups' | 'channel_folders', wanted: number, name: string): Promise<void> => {
      const exchange = await admin.must(`get-${list.replace('_', '-')}`)
      is(exchange, listOf(exchange.body[list]).find(({ id }) => id === wanted)?.name, name)
    }

    const message_id = await post(user, await t.channel(user), wide('around'), 'A topic.')
    const sent = await fetched(user, message_id)
    is(sent, sent.body.message.subject, 'around')
    await user.must('update-message', { message_id, topic: wide('elsewhere') })
    const moved = await fetched(user, message_id)
    is(moved, moved.body.message.subject, 'elsewhere')
    // The contract does not say it of other names.
    if (!t.isParley) return

    const [subscribed, created, renamed] = [fresh(), fresh(), fresh()]
    await user.must('subscribe', { subscriptions: [{ name: wide(subscribed) }] })
    const { body: channel } = await admin.must('create-channel', { name: wide(created), subscribers: [user.userId] })
    const subscriptions = await user.must('get-subscriptions')
    const names = listOf(subscriptions.body.subscriptions).map(({ name }) => name)
    for (const name of [subscribed, created]) {
      const found = names.find((one) => one.includes(name))
      is(subscriptions, found, name)
    }
    await admin.must('update-stream', { stream_id: channel.id, new_name: wide(renamed) })
    const stream = await admin.must('get-stream', { stream_id: channel.id })
    is(stream, stream.body.stream.name, renamed)

    const [group, groupRenamed] = [fresh(), fresh()]
    const user_group_id = await newUserGroup(admin, { name: wide(group), description: '', members: [] })
    await isListed('user_groups', user_group_id, group)
    await admin.must('update-user-group', { user_group_id, name: wide(groupRenamed) })
    await isListed('user_groups', user_group_id, groupRenamed)

    const nameOfPerson = async (name: string): Promise<void> => {
      const exchange = await user.must('get-user', { user_id_or_email: person.userId })
      is(exchange, exchange.body.user.full_name, name)
    }
    const [byAdmin, byThemselves] = [t.unique('Conformance User'), t.unique('Conformance User')]
    await admin.must('update-user', { user_id_or_email: person.userId, full_name: wide(byAdmin) })
    await nameOfPerson(byAdmin)
    await person.must('update-settings', { full_name: wide(byThemselves) })
    await nameOfPerson(byThemselves)

    const title = fresh()
    await person.must('create-saved-snippet', { title: wide(title), content: 'A snippet.' })
    const snippets = await person.must('get-saved-snippets')
    is(snippets, snippets.body.saved_snippets[0]?.title, title)

    const [folder, folderRenamed] = [fresh(), fresh()]
    const made = await admin.must('create-channel-folder', { name: wide(folder) })
    const { channel_folder_id } = made.body
    await isListed('channel_folders', channel_folder_id, folder)
    await admin.must('update-channel-folder', { channel_folder_id, name: wide(folderRenamed) })
    await isListed('channel_folders', channel_folder_id, folderRenamed)
  }),
]

/** A unique text of at most 60 characters, short enough for a topic, a status and a name. */
function topicOf(t: CheckContext, text: string): string {
  return `${text} ${t.unique('Text')}`
}

/** The first `most` code points. */
function longest(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}
