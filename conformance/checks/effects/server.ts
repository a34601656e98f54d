import { placeAt, uploadedPath } from '../../acts/attachments.ts'
import type { Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { ofNobody, postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isObject, isRefused } from '../../wire/values.ts'

export const checks: readonly Check[] = [
  effect('get-server-settings', 'server settings equal those in POST /register', async (t, shows, { user }) => {
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
  }),
  effect(
    ['get-uploaded-file', 'get-temporary-link', 'get-temporary-file'],
    'a file is returned as it was uploaded, to those who may read it',
    async (t, shows, { user, other, channel, topic }) => {
      const outsider = await t.user()
      const content = t.unique('the text of a file')
      const path = await uploadedPath(user, content)
      const own = await user.send({ method: 'GET', path })
      shows(own, own.status === 200 && own.text === content, `HTTP 200 and "${content}"`)
      for (const person of [other, outsider]) {
        const hidden = await person.call('get-temporary-link', placeAt(path))
        const expected = `a refusal: user ${person.userId} was never shown the file`
        shows(hidden, isRefused(hidden) || hidden.status >= 400, expected)
      }
      await user.must('send-message', { type: 'stream', to: channel.id, topic, content: `[a file](${path})` })
      const privately = await uploadedPath(user, `${content} again`)
      await user.must('send-message', { type: 'direct', to: [other.userId], content: `[a file](${privately})` })
      const shared = await other.call('get-temporary-link', placeAt(path))
      if (!shows(shared, shared.status === 200, `a link: the file is in a message that user ${other.userId} has`))
        return
      await postTo(outsider, [outsider], `[a file](${privately})`)
      const secret = await outsider.call('get-temporary-link', placeAt(privately))
      const words = `a refusal: the file is in a message that user ${outsider.userId} does not have`
      shows(secret, secret.status >= 400, words)
      const linked = await t.deployment.send({ method: 'GET', path: String(shared.body.url) })
      shows(linked, linked.text === content, `"${content}" for everybody who has the link`)
    },
  ),
  effect('get-openapi', 'the document describes its own operations', async (t, shows) => {
    const exchange = await ofNobody(t, 'get-openapi')
    shows(exchange, String(exchange.body?.openapi).startsWith('3.1.'), '`openapi` begins with "3.1."')
    const missing = [...t.deployment.contract.operations.keys()].filter((id) => !operationIdsOf(exchange).has(id))
    shows(exchange, missing.length === 0, `an operation with each operationId of the contract; ${missing} are missing`)
  }),
  effect('get-openapi-3-0', 'the older description of events equals the newer one', async (t, shows) => {
    const [older, newer] = [await ofNobody(t, 'get-openapi-3-0'), await ofNobody(t, 'get-openapi')]
    shows(older, String(older.body?.openapi).startsWith('3.0.'), '`openapi` begins with "3.0."')
    const missing = [...operationIdsOf(newer)].filter((id) => !operationIdsOf(older).has(id))
    shows(older, missing.length === 0, `every operation of the newer form; ${missing} are missing`)
  }),
  effect('get-start-page', 'the page links to the contract', async (t, shows) => {
    const exchange = await t.deployment.send({ method: 'GET', path: '/' })
    const link = /href="([^"]*openapi\.json)"/.exec(exchange.text)?.[1]
    shows(exchange, exchange.status === 200 && link !== undefined, 'a page with a link to the contract')
    const { pathname } = new URL(link ?? '', 'http://page.example/')
    const contract = await t.deployment.send({ method: 'GET', path: pathname })
    shows(contract, isObject(contract.body?.paths), 'the contract, where the page says')
  }),
  effect('get-health', 'GET /health returns the feature level and the uptime', async (t, shows) => {
    const first = await ofNobody(t, 'get-health')
    shows(first, first.body?.status === 'ok', '`status` is "ok"')
    const settings = await ofNobody(t, 'get-server-settings')
    const { zulip_feature_level: level } = settings.body
    shows(first, first.body?.feature_level === level, `\`feature_level\` is ${level}, as in GET /server_settings`)
    const second = await ofNobody(t, 'get-health')
    const hasGrown = second.body?.uptime_seconds > first.body?.uptime_seconds
    shows(second, hasGrown, `\`uptime_seconds\` is more than ${first.body?.uptime_seconds}`)
  }),
  effect('get-metrics', 'metrics count requests', async (t, shows) => {
    const before = answersCounted(await ofNobody(t, 'get-metrics'))
    await ofNobody(t, 'get-emoji-data')
    const exchange = await ofNobody(t, 'get-metrics')
    shows(exchange, answersCounted(exchange) > before, `more than ${before} answers to get-emoji-data`)
  }),
  effect('get-emoji-data', 'the codes of emoji are those of reactions', async (t, shows, { user, messageId }) => {
    await user.must('add-reaction', { message_id: messageId, emoji_name: 'octopus' })
    const seen = await user.must('get-message', { message_id: messageId })
    await user.must('remove-reaction', { message_id: messageId, emoji_name: 'octopus' })
    const code = seen.body.message.reactions.find(({ emoji_name: name }: Values) => name === 'octopus')?.emoji_code
    const exchange = await ofNobody(t, 'get-emoji-data')
    const names: unknown = exchange.body?.code_to_names?.[code]
    shows(exchange, Array.isArray(names) && names.includes('octopus'), `\`code_to_names\` has octopus for ${code}`)
  }),
  effect('get-static-file', 'the icon of the organization is served', async (t, shows) => {
    const settings = await ofNobody(t, 'get-server-settings')
    const path = String(settings.body.realm_icon).replace(/^https?:\/\/[^/]+/, '')
    const exchange = await t.deployment.send({ method: 'GET', path })
    const isPicture = exchange.status === 200 && /^.PNG\r\n/.test(exchange.text)
    shows(exchange, isPicture, `a PNG picture at ${path}, where GET /server_settings says`)
  }),
]

function operationIdsOf({ body }: Exchange): ReadonlySet<unknown> {
  const paths: unknown[] = isObject(body?.paths) ? Object.values(body.paths) : []
  const methods = paths.filter(isObject).flatMap((path) => Object.values(path).filter(isObject))
  return new Set(methods.map(({ operationId }) => operationId))
}

function answersCounted({ text }: Exchange): number {
  const lines = text.matchAll(/^parley_answer_seconds_count\{(.*operation="get-emoji-data".*)\} (\d+)$/gm)
  return [...lines].reduce((sum, [, , count]) => sum + Number(count), 0)
}
