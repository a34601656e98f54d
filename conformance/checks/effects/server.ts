import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { ofNobody } from '../../kernel/messaging.ts'
import { isObject, isRefused } from '../../wire/values.ts'

export const checks: readonly Check[] = [
  effect(
    'get-server-settings',
    'the server says the same of itself as POST /register',
    ['register-queue'],
    async (t, shows, { user }) => {
      const exchange = await ofNobody(t, 'get-server-settings')
      const state = await user.must('register-queue', { event_types: ['realm'] })
      const same = [
        ['zulip_version', 'zulip_version'],
        ['zulip_feature_level', 'zulip_feature_level'],
        ['realm_name', 'realm_name'],
        ['push_notifications_enabled', 'server_supports_push'],
      ] as const
      for (const [name, there] of same) {
        if (exchange.body[name] === undefined || state.body[there] === undefined) continue
        const says = `\`${name}\` is ${JSON.stringify(state.body[there])}`
        shows(exchange, exchange.body[name] === state.body[there], says)
      }
      const methods = exchange.body.authentication_methods
      if (t.deployment.given.length > 0 && isObject(methods)) {
        shows(exchange, Object.values(methods).includes(true), '`authentication_methods` has one that is true')
      }
    },
  ),
  effect(
    ['get-uploaded-file', 'get-temporary-link', 'get-temporary-file'],
    'a file is what was uploaded, for those who may have it',
    ['upload-file', 'send-message'],
    async (t, shows, { user, other, channel, topic }) => {
      const outsider = await t.user()
      const content = t.unique('the text of a file')
      const uploaded = await user.must('upload-file', { file: content })
      const path = String(uploaded.body.url ?? uploaded.body.uri)
      const [, , realm_id_str = '', ...name] = path.split('/')
      const filename = name.join('/')
      const own = await user.send({ method: 'GET', path })
      shows(own, own.status === 200 && own.text === content, `HTTP 200 and "${content}"`)
      for (const person of [other, outsider]) {
        const hidden = await person.call('get-temporary-link', { realm_id_str, filename })
        const expected = `a refusal: user ${person.userId} was never shown the file`
        shows(hidden, isRefused(hidden) || hidden.status >= 400, expected)
      }
      await user.must('send-message', { type: 'stream', to: channel.id, topic, content: `[a file](${path})` })
      const privately = await user.must('upload-file', { file: `${content} again` })
      await user.must('send-message', {
        type: 'direct',
        to: [other.userId],
        content: `[a file](${privately.body.url ?? privately.body.uri})`,
      })
      const shared = await other.call('get-temporary-link', { realm_id_str, filename })
      if (!shows(shared, shared.status === 200, `a link: the file is in a message that user ${other.userId} has`))
        return
      const [, , , ...rest] = String(privately.body.url ?? privately.body.uri).split('/')
      const secret = await outsider.call('get-temporary-link', { realm_id_str, filename: rest.join('/') })
      const words = `a refusal: the file is in a message that user ${outsider.userId} does not have`
      shows(secret, secret.status >= 400, words)
      const linked = await t.deployment.send({ method: 'GET', path: String(shared.body.url) })
      shows(linked, linked.text === content, `"${content}" for whoever has the link`)
    },
  ),
]
