import { newPlayground } from '../acts/playgrounds.ts'
import type { Values } from '../deployment/account.ts'
import { lackOf } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import { effect } from '../kernel/effect.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import { anybody, belowAdministrator } from '../kernel/people-of-roles.ts'
import { type Json, listOf } from '../wire/values.ts'
import { by, refuses, refusesWith, succeeds } from './outcomes.ts'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'playgrounds/refused',
    title:
      'a playground has a name, a language, and a template with the variable `code` only, and only administrators create it',
    requirements: [...ids('PLAYGROUND', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), ...ids('REC', [1, 2, 10])],
    async run(t) {
      const administrator = t.person('administrator')
      const values = newPlayground(t)
      const { name, pygments_language } = values
      for (const person of await belowAdministrator(t)) {
        const exchange = await person.call('add-code-playground', values)
        refusesWith(by(t, 'PLAYGROUND-8'), 'UNAUTHORIZED_PRINCIPAL', exchange, `the caller is a ${person.role}`)
      }
      const refused = async (id: string, given: Values, why: string) => {
        refuses(by(t, id), await administrator.call('add-code-playground', given), why)
      }
      await refused('PLAYGROUND-1', { ...values, name: undefined }, 'there is no `name`')
      await refused('PLAYGROUND-2', { ...values, pygments_language: undefined }, 'there is no `pygments_language`')
      await refused('PLAYGROUND-3', { name, pygments_language }, 'there is no `url_template`')
      const older = { name, pygments_language, url_prefix: 'https://play.example.com/?code=' }
      await refused('PLAYGROUND-3', older, '`url_prefix` is of an older level')
      const open = 'https://a.example/{code'
      await refused('PLAYGROUND-4', { ...values, url_template: open }, 'a bracket is not closed')
      const fixed = 'https://a.example/'
      await refused('PLAYGROUND-5', { ...values, url_template: fixed }, 'the template lacks `code`')
      const two = 'https://a.example/{code}/{lang}'
      await refused('PLAYGROUND-6', { ...values, url_template: two }, 'the template has another variable')
      const strange = await administrator.call('add-code-playground', { ...values, pygments_language: 'a$b' })
      t.refusedWith('PLAYGROUND-9', strange, 'Invalid characters in pygments language')
      await refused('PLAYGROUND-9', { ...values, pygments_language: 'a'.repeat(41) }, 'the language has 41 characters')
      const form = 'https://play.example.com/run{?code}'
      const whole = { ...values, pygments_language: 'aZ_ +-./#09', url_template: form }
      const added = await administrator.call('add-code-playground', whole)
      t.that('REC-2', added, Number.isInteger(added.body?.id), '`id`, an integer')
      if (!t.that('PLAYGROUND-7', added, Number.isInteger(added.body?.id), '`id`, an integer')) return
      succeeds(by(t, 'PLAYGROUND-9'), added, 'each character may be in a language')
      t.that('REC-1', added, added.status === 200, 'success for a name, a language and a template')
      const registered = await administrator.must('register-queue', { event_types: ['realm_playgrounds'] })
      const record = listOf(registered.body.realm_playgrounds).find(({ id }) => id === added.body.id)
      const isRecord = lackOf(record ?? {}, { id: added.body.id, ...whole }) === undefined
      t.that('REC-10', registered, isRecord, `\`realm_playgrounds\` with ${JSON.stringify(whole)} and its \`id\``)
      await refused('PLAYGROUND-10', whole, 'there is one of this language and name')
      const url_template = 'https://play.example.com/{+code}'
      const others = [{ name: t.unique('other') }, { pygments_language: 'Ruby', url_template }]
      const made = [added]
      for (const other of others) made.push(await administrator.call('add-code-playground', { ...whole, ...other }))
      for (const one of made) {
        succeeds(by(t, 'PLAYGROUND-10'), one, 'no other has both this language and this name')
        await administrator.call('remove-code-playground', { playground_id: one.body.id })
      }
    },
  },
  effect(
    ['add-code-playground', 'remove-code-playground'],
    'adding or removing a playground announces all playgrounds to everybody',
    async (t, shows, { user }) => {
      const administrator = t.person('administrator')
      const values = newPlayground(t)
      const queue = await listen(await anybody(t), ['realm_playgrounds'])
      const told = async (isMeant: (list: readonly Json[]) => boolean, says: string) => {
        const isEvent = (event: Json): boolean => isMeant(listOf(event.realm_playgrounds))
        await eventOf(shows, queue, isEvent, `\`realm_playgrounds\` with ${says}`)
        const registered = await user.must('register-queue', { event_types: ['realm_playgrounds'] })
        shows(registered, isMeant(listOf(registered.body.realm_playgrounds)), `\`realm_playgrounds\` with ${says}`)
      }
      const added = await administrator.must('add-code-playground', values)
      const { id: playground_id } = added.body
      const isAsGiven = (list: readonly Json[]) =>
        list.some((one) => lackOf(one, { id: playground_id, ...values }) === undefined)
      await told(isAsGiven, `playground ${playground_id}, as it was given`)
      await administrator.must('remove-code-playground', { playground_id })
      await told((list) => !list.some((one) => one.id === playground_id), `no playground ${playground_id}`)
      refuses(shows, await administrator.call('remove-code-playground', { playground_id }), 'there is none')
    },
  ),
]
