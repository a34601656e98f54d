import { always, type Scene, type WorstCalls } from './scene.ts'

const MIB = 1024 * 1024
const PASSWORD = 'correct horse'

/** A new account. */
const newUser = async (scene: Scene) => {
  const name = scene.unique('made')
  const email = `${name.replaceAll(' ', '-')}@parley.example`
  const { user_id } = await scene.as('owner').must('POST', '/users', { email, password: PASSWORD, full_name: name })
  return { id: user_id as number, email }
}
/** A new account that shares a channel with everybody. */
const userOfCrowd = async (scene: Scene) => {
  const user = await newUser(scene)
  const parameters = { subscriptions: [{ name: 'Crowd' }], principals: [user.id] }
  await scene.as('owner').must('POST', '/users/me/subscriptions', parameters)
  return user
}
const botOf = (scene: Scene) => {
  const name = scene.unique('bot')
  return { full_name: name, short_name: name.replaceAll(' ', '-'), default_all_public_streams: true }
}
const newBot = async (scene: Scene) => (await scene.reader.must('POST', '/bots', botOf(scene))).user_id as number
const uploaded = async (scene: Scene, bytes: number) => {
  const { body } = await scene.reader.upload(`${scene.unique('file')}.bin`, new Uint8Array(bytes))
  return body.url as string
}
const alertWords = (name: string) => Array.from({ length: 900 }, (_, index) => `${name} ${'x'.repeat(80)} ${index}`)
const storage = (value: string) => ({
  storage: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key ${index}`, value])),
})
const newDomain = async (scene: Scene) => {
  const domain = `${scene.unique('domain').replaceAll(' ', '-')}.example`
  await scene.as('owner').must('POST', '/realm/domains', { domain, allow_subdomains: false })
  return domain
}
const everybodysIds = ({ organization }: Scene) => organization.userIds
const userPath = (path: string) => (scene: Scene) => `/users/${scene.organization.userIds[7]}${path}`

export const worstCalls: WorstCalls = {
  'get-server-settings': [{ call: always('GET', '/server_settings') }],
  'fetch-api-key': [
    {
      call: (scene) =>
        scene.reader.post('/fetch_api_key', {
          username: scene.reader.email,
          password: scene.organization.credentials.password,
        }),
    },
  ],
  'dev-fetch-api-key': [{ call: (scene) => scene.reader.post('/dev_fetch_api_key', { username: scene.reader.email }) }],
  'get-users': [
    { what: 'all', call: always('GET', '/users', { client_gravatar: false, include_custom_profile_fields: true }) },
    { what: 'by 10,000 ids', call: always('GET', '/users', (scene) => ({ user_ids: everybodysIds(scene) })) },
  ],
  'create-user': [
    {
      call: (scene) => {
        const name = scene.unique('made here')
        const email = `${name.replaceAll(' ', '-')}@parley.example`
        return scene.as('owner').post('/users', { email, password: PASSWORD, full_name: name })
      },
    },
  ],
  'get-own-user': [{ call: always('GET', '/users/me') }],
  'deactivate-own-user': [
    {
      async prepare(scene) {
        const { email } = await userOfCrowd(scene)
        return scene.reader.must('POST', '/fetch_api_key', { username: email, password: PASSWORD })
      },
      call: (scene, login) => scene.with(login as Parameters<Scene['with']>[0]).delete('/users/me'),
    },
  ],
  'regenerate-own-api-key': [
    {
      async prepare(scene) {
        const { email } = await newUser(scene)
        return scene.reader.must('POST', '/fetch_api_key', { username: email, password: PASSWORD })
      },
      call: (scene, login) => scene.with(login as Parameters<Scene['with']>[0]).post('/users/me/api_key/regenerate'),
    },
  ],
  'get-bots': [{ call: always('GET', '/bots') }],
  'create-bot': [{ call: (scene) => scene.reader.post('/bots', botOf(scene)) }],
  'update-bot': [
    {
      prepare: newBot,
      call: (scene, id) =>
        scene.as('owner').patch(`/bots/${id}`, {
          ...{ full_name: scene.unique('Renamed bot'), role: 300, default_all_public_streams: true },
          bot_owner_id: scene.organization.userIds[7],
        }),
    },
  ],
  'deactivate-bot': [{ prepare: newBot, call: (scene, id) => scene.reader.delete(`/bots/${id}`) }],
  'get-bot-api-key': [{ prepare: newBot, call: (scene, id) => scene.reader.get(`/bots/${id}/api_key`) }],
  'regenerate-bot-api-key': [
    { prepare: newBot, call: (scene, id) => scene.reader.post(`/bots/${id}/api_key/regenerate`) },
  ],
  'update-own-status': [
    { call: always('POST', '/users/me/status', { status_text: 'x'.repeat(60), emoji_name: 'octopus' }) },
  ],
  'get-user-status': [{ call: always('GET', userPath('/status')) }],
  'update-user-status': [{ call: always('POST', userPath('/status'), { status_text: 'Away' }, 'owner') }],
  'get-alert-words': [
    {
      prepare: ({ reader }) => reader.must('POST', '/users/me/alert_words', { alert_words: alertWords('some') }),
      call: always('GET', '/users/me/alert_words'),
    },
  ],
  'add-alert-words': [
    {
      prepare: ({ reader }) => reader.must('DELETE', '/users/me/alert_words', { alert_words: alertWords('some') }),
      call: always('POST', '/users/me/alert_words', { alert_words: alertWords('some') }),
    },
  ],
  'remove-alert-words': [
    {
      prepare: ({ reader }) => reader.must('POST', '/users/me/alert_words', { alert_words: alertWords('some') }),
      call: always('DELETE', '/users/me/alert_words', { alert_words: alertWords('some') }),
    },
  ],
  'mute-user': [
    {
      prepare: (scene) => scene.reader.delete(userPath('')(scene).replace('/users', '/users/me/muted_users')),
      call: always('POST', (scene) => userPath('')(scene).replace('/users', '/users/me/muted_users')),
    },
  ],
  'unmute-user': [
    {
      prepare: (scene) => scene.reader.post(userPath('')(scene).replace('/users', '/users/me/muted_users')),
      call: always('DELETE', (scene) => userPath('')(scene).replace('/users', '/users/me/muted_users')),
    },
  ],
  'update-presence': [
    {
      what: 'everybody’s, older form',
      call: always('POST', '/users/me/presence', { status: 'active' }),
    },
    {
      what: 'everybody’s, for a year',
      call: always('POST', '/users/me/presence', { status: 'active', last_update_id: -1, history_limit_days: 365 }),
    },
  ],
  'get-user': [{ call: always('GET', userPath('')) }],
  'update-user': [
    {
      what: 'a role, in a large channel',
      prepare: userOfCrowd,
      call: (scene, user) =>
        scene
          .as('owner')
          .patch(`/users/${(user as { id: number }).id}`, { role: 600, full_name: scene.unique('Renamed') }),
    },
    {
      what: 'a role, in all channels',
      async prepare(scene) {
        const { user_id } = await scene
          .as('owner')
          .must('GET', `/users/${scene.reader.email}`)
          .then(({ user }) => user)
        return user_id
      },
      call: (scene, id) => scene.as('owner').patch(`/users/${id}`, { role: scene.turn() ? 300 : 400 }),
    },
  ],
  'deactivate-user': [
    {
      what: 'with all that they said',
      async prepare(scene) {
        const user = await userOfCrowd(scene)
        const key = { username: user.email, password: PASSWORD }
        const sender = scene.with(await scene.as('owner').must('POST', '/fetch_api_key', key))
        const message = { type: 'channel', to: 'Crowd', topic: 'farewell', content: 'x' }
        for (let count = 0; count < 30; count += 1) await sender.must('POST', '/messages', message)
        return user
      },
      call: (scene, user) => {
        const actions = { delete_profile: true, delete_public_channel_messages: true, delete_direct_messages: true }
        return scene.as('owner').delete(`/users/${(user as { id: number }).id}`, { actions })
      },
    },
    {
      prepare: userOfCrowd,
      call: (scene, user) => scene.as('owner').delete(`/users/${(user as { id: number }).id}`),
    },
  ],
  'reactivate-user': [
    {
      async prepare(scene) {
        const user = await userOfCrowd(scene)
        await scene.as('owner').must('DELETE', `/users/${user.id}`)
        return user
      },
      call: (scene, user) => scene.as('owner').post(`/users/${(user as { id: number }).id}/reactivate`),
    },
  ],
  'get-presence': [{ call: always('GET', userPath('/presence')) }],
  'get-all-presence': [{ call: always('GET', '/realm/presence') }],
  'update-realm-user-settings-defaults': [
    {
      call: (scene) =>
        scene.as('owner').patch('/realm/user_settings_defaults', {
          ...{ enter_sends: true, color_scheme: 2, fluid_layout_width: true, high_contrast_mode: true },
        }),
    },
  ],
  'update-settings': [{ call: always('PATCH', '/settings', { full_name: 'Max Member', twenty_four_hour_time: true }) }],
  'update-notification-settings': [{ call: always('PATCH', '/settings/notifications', { enable_sounds: true }) }],
  'update-display-settings': [{ call: always('PATCH', '/settings/display', { starred_message_counts: true }) }],
  'get-bot-storage': [
    {
      what: '10 MB',
      async prepare(scene) {
        const bot = scene.as('bot')
        for (let part = 0; part < 10; part += 1) {
          const keys = Array.from({ length: 100 }, (_, index) => [`part ${part} ${index}`, 'v'.repeat(9500)])
          await scene.once(`storage ${part}`, () =>
            bot.request('PUT', '/bot_storage', { storage: Object.fromEntries(keys) }),
          )
        }
      },
      call: always('GET', '/bot_storage', {}, 'bot'),
    },
  ],
  'update-realm': [
    { call: always('PATCH', '/realm', { allow_message_editing: true }, 'owner') },
    {
      what: 'the waiting period of 10,000 members',
      async prepare(scene) {
        await scene.as('owner').must('PATCH', '/realm', { waiting_period_threshold: 0 })
      },
      call: always('PATCH', '/realm', { waiting_period_threshold: 36_500 }, 'owner'),
    },
  ],
  'get-email-domains': [{ call: always('GET', '/realm/domains') }],
  'add-email-domain': [
    {
      call: (scene) => {
        const domain = `${scene.unique('domain').replaceAll(' ', '-')}.example`
        return scene.as('owner').post('/realm/domains', { domain, allow_subdomains: false })
      },
    },
  ],
  'update-email-domain': [
    {
      prepare: newDomain,
      call: (scene, domain) => scene.as('owner').patch(`/realm/domains/${domain}`, { allow_subdomains: true }),
    },
  ],
  'remove-email-domain': [
    { prepare: newDomain, call: (scene, domain) => scene.as('owner').delete(`/realm/domains/${domain}`) },
  ],
  'update-bot-storage': [{ what: '1,000 keys', call: always('PUT', '/bot_storage', storage('v'.repeat(400)), 'bot') }],
  'remove-bot-storage': [
    {
      what: '1,000 keys',
      prepare: (scene) => scene.as('bot').request('PUT', '/bot_storage', storage('v')),
      call: always('DELETE', '/bot_storage', { keys: Object.keys(storage('v').storage) }, 'bot'),
    },
  ],
  'upload-file': [
    {
      what: '25 MiB',
      call: (scene) => scene.reader.upload(`${scene.unique('large')}.bin`, new Uint8Array(25 * MIB)),
    },
  ],
  'get-temporary-link': [
    {
      prepare: (scene) => scene.once('file', () => uploaded(scene, MIB)),
      call: (scene, url) => scene.reader.get(String(url)),
    },
  ],
  'get-uploaded-file': [
    {
      what: '25 MiB',
      prepare: (scene) => scene.once('large file', () => uploaded(scene, 25 * MIB)),
      call: (scene, url) => scene.reader.fetch(String(url)),
    },
  ],
  'get-temporary-file': [
    {
      what: '25 MiB',
      prepare: async (scene) => {
        const url = await scene.once('large file', () => uploaded(scene, 25 * MIB))
        return (await scene.reader.must('GET', url)).url
      },
      call: (scene, url) => scene.reader.fetch(String(url)),
    },
  ],
  'get-attachments': [{ what: '5,000', call: always('GET', '/attachments') }],
  'delete-attachment': [
    {
      async prepare(scene) {
        await uploaded(scene, MIB)
        const { attachments } = await scene.reader.must('GET', '/attachments')
        return attachments[0].id
      },
      call: (scene, id) => scene.reader.delete(`/attachments/${id}`),
    },
  ],
  'get-openapi': [{ call: (scene) => scene.reader.fetch('/api/v1/openapi.json') }],
  'get-openapi-3-0': [{ call: (scene) => scene.reader.fetch('/api/v1/openapi-3.0.json') }],
  'get-start-page': [{ call: (scene) => scene.reader.fetch('/') }],
  'get-health': [{ call: (scene) => scene.reader.fetch('/health') }],
  'get-metrics': [{ call: (scene) => scene.reader.fetch('/metrics') }],
  'get-emoji-data': [{ call: (scene) => scene.reader.fetch('/static/emoji-data.json') }],
  'get-static-file': [{ call: (scene) => scene.reader.fetch('/static/logo.png') }],
}
