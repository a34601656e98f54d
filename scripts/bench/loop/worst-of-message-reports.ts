import { always, type Scene, type WorstCalls } from './scene.ts'

/** Everything in it is a mention or code, and gets cut. */
const LONG = '`a`@**all** '.repeat(830)

const moderated = (scene: Scene): Promise<void> =>
  scene.once('moderation', async () => {
    const owner = scene.as('owner')
    const channel = { name: scene.unique('office'), subscribers: [owner.userId], invite_only: true }
    const { id } = await owner.must('POST', '/channels/create', channel)
    await owner.must('PATCH', '/realm', { moderation_request_channel_id: id })
  })

/** An account may report only a few messages a minute, so each call has its own account. */
const reporter = async (scene: Scene) => {
  await moderated(scene)
  const owner = scene.as('owner')
  const email = `${scene.unique('reporter').replaceAll(' ', '-')}@example.com`
  const full_name = scene.unique('Reporter')
  const { user_id } = await owner.must('POST', '/users', { email, full_name, password: 'correct horse battery' })
  const sent = { type: 'direct', to: [user_id], content: LONG }
  const { id } = await owner.must('POST', '/messages', sent)
  const { api_key } = await owner.must('POST', '/fetch_api_key', { username: email, password: 'correct horse battery' })
  return { id, user: scene.with({ email, api_key, user_id }) }
}

export const worstCalls: WorstCalls = {
  'report-message': [
    {
      prepare: reporter,
      call: (_, prepared) => {
        const { id, user } = prepared as Awaited<ReturnType<typeof reporter>>
        const description = '@**all** '.repeat(111)
        return user.post(`/messages/${id}/report`, { report_type: 'other', description })
      },
    },
  ],
  'preview-welcome-message': [
    {
      call: always(
        'POST',
        '/realm/test_welcome_bot_custom_message',
        { welcome_message_custom_text: '`a`@**all** '.repeat(660) },
        'owner',
      ),
    },
  ],
  'mark-onboarding-step-seen': [
    { call: always('POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' }) },
  ],
}
