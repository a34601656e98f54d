import { linkifierOf, newMark } from '../../acts/linkifiers.ts'
import { lackOf } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { fetched, post } from '../../kernel/messaging.ts'
import { anybody } from '../../kernel/people-of-roles.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    ['get-linkifiers', 'add-linkifier', 'update-linkifier', 'remove-linkifier', 'reorder-linkifiers'],
    'linkifiers are added, changed, ordered and removed, and turn text in messages and topics into links',
    async (t, shows, { user, other, channel }) => {
      const administrator = t.person('administrator')
      const mark = newMark(t)
      const capabilities = { notification_settings_null: true, linkifier_url_template: true }
      const queue = await listen(await anybody(t), ['realm_linkifiers'], { client_capabilities: capabilities })
      const told = async (isMeant: (list: readonly Json[]) => boolean, says: string) => {
        const isEvent = (event: Json): boolean => isMeant(listOf(event.realm_linkifiers))
        await eventOf(shows, queue, isEvent, `with ${says}`)
        const listed = await other.must('get-linkifiers')
        shows(listed, isMeant(listOf(listed.body.linkifiers)), `\`linkifiers\` with ${says}`)
      }
      const added = await administrator.must('add-linkifier', linkifierOf(mark))
      const { id: filter_id } = added.body
      const has = (values: object) => (list: readonly Json[]) =>
        list.some((one) => lackOf(one, { id: filter_id, ...values }) === undefined)
      await told(has(linkifierOf(mark)), `linkifier ${filter_id}`)
      refuses(shows, await administrator.call('add-linkifier', linkifierOf(mark)), 'there is one with this pattern')
      for (const [pattern, why] of [
        ['(?P<id>[0-9]+', 'a bracket is not closed'],
        [`${mark}(?P<other>[0-9]+)`, 'the template has another variable'],
      ] as const) {
        refuses(shows, await administrator.call('add-linkifier', { ...linkifierOf(mark), pattern }), why)
      }
      const id = await post(user, channel, `${mark}-7 or ${mark}-8`, `See ${mark}-12, or \`${mark}-13\`.`)
      const exchange = await fetched(other, id)
      const { content, topic_links: links } = exchange.body.message
      const hasLink = new RegExp(`<a [^>]*href="https://example\\.com/${mark}/12"[^>]*>${mark}-12</a>`).test(content)
      shows(exchange, hasLink, `\`content\` has a link of ${mark}-12`)
      shows(exchange, !content.includes(`/${mark}/13`), 'no link in code')
      for (const [index, number] of [7, 8].entries()) {
        const { text, url } = listOf(links)[index] ?? {}
        const isLink = text === `${mark}-${number}` && url === `https://example.com/${mark}/${number}`
        shows(exchange, isLink, `\`topic_links\` has the \`text\` ${mark}-${number} and its \`url\``)
      }
      const url_template = `https://example.org/${mark}/{id}`
      await administrator.must('update-linkifier', { filter_id, ...linkifierOf(mark), url_template })
      await told(has({ url_template }), `the template ${url_template}`)
      if (t.level >= 471) {
        for (const example_input of [`${mark}-1`, '']) {
          await administrator.must('update-linkifier', { filter_id, ...linkifierOf(mark), url_template, example_input })
          const is = example_input || null
          await told(has({ example_input: is }), `the example ${is}`)
        }
      }
      const later = await fetched(other, id)
      const url = `https://example.org/${mark}/7`
      // Other servers may keep the rendering of an earlier message.
      if (t.isParley)
        shows(later, later.body.message.topic_links[0]?.url === url, `\`topic_links\` with the \`url\` ${url}`)

      const { body } = await administrator.must('add-linkifier', linkifierOf(newMark(t)))
      const isFirst = (list: readonly Json[]) => list[0]?.id === body.id
      const firstOf = async () => {
        const ids = listOf((await administrator.must('get-linkifiers')).body.linkifiers).map((one) => one.id)
        const order = [body.id, ...ids.filter((one) => one !== body.id)]
        const ordered = await administrator.call('reorder-linkifiers', { ordered_linkifier_ids: order })
        return { order, ordered, listed: await other.must('get-linkifiers') }
      }
      let { order, ordered, listed } = await firstOf()
      // Another run may add one, or sort them, at the same moment.
      for (let tries = 1; tries < 3 && !isFirst(listOf(listed.body.linkifiers)); tries += 1)
        ({ order, ordered, listed } = await firstOf())
      succeeds(shows, ordered, 'each is named once')
      shows(listed, isFirst(listOf(listed.body.linkifiers)), `\`linkifiers\` with linkifier ${body.id} first`)
      const says = `with linkifier ${body.id} first`
      await eventOf(shows, queue, (event) => isFirst(listOf(event.realm_linkifiers)), says)
      const short = await administrator.call('reorder-linkifiers', { ordered_linkifier_ids: order.slice(1) })
      refuses(shows, short, 'one is missing')
      for (const one of [body.id, filter_id]) {
        await administrator.must('remove-linkifier', { filter_id: one })
        await told((list) => !list.some((other) => other.id === one), `no linkifier ${one}`)
        refuses(shows, await administrator.call('remove-linkifier', { filter_id: one }), 'there is none')
      }
    },
  ),
]
