import { hasDevelopmentLogin } from '../../acts/accounts.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { isRefused } from '../../wire/values.ts'

export const checks: readonly Check[] = [
  effect(
    'dev-fetch-api-key',
    'nobody logs in without a password, unless the server says so',
    ['get-server-settings'],
    async (t, shows, { user }) => {
      const isOpen = await hasDevelopmentLogin(t)
      const answer = await user.call('dev-fetch-api-key', { username: user.email })
      const says = `\`authentication_methods\` has \`dev\` ${isOpen}`
      if (isOpen) shows(answer, answer.body?.api_key === user.login.apiKey, `the key of ${user.email}: ${says}`)
      else shows(answer, isRefused(answer), `a refusal: ${says}`)
    },
  ),
  effect(
    'regenerate-own-api-key',
    'a new key counts at once instead of the old one, and the account keeps its event queues',
    ['get-own-user', 'register-queue', 'get-events', 'send-message', 'create-user'],
    async (t, shows) => {
      const user = await t.newUser()
      const queue = await listen(user, ['message'])
      const made = await user.must('regenerate-own-api-key')
      const { api_key: key } = made.body
      shows(made, typeof key === 'string' && key !== user.login.apiKey, '`api_key`, another one')
      const late = await user.call('get-own-user')
      shows(late, isRefused(late) && late.status === 401, '401: the old key counts no more')
      const present = user.withKey(String(key))
      const own = await present.call('get-own-user')
      shows(own, own.body?.user_id === user.userId, `user ${user.userId}, with the new key`)
      const content = t.unique('After the key')
      await present.must('send-message', { type: 'direct', to: [user.userId], content })
      const heard = await present.call('get-events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
      shows(heard, heard.body?.events?.length > 0, 'events of the queue that was made with the old key')
    },
  ),
]
