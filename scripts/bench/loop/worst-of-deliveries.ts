import { always, type Scene, type WorstCalls } from './scene.ts'

const FAR_AWAY = 2_082_787_200
/** The maximum number for an account, with the maximum of text. */
const MOST = 500
const long = { type: 'stream', topic: 'Later', content: 'x'.repeat(4000), scheduled_delivery_timestamp: FAR_AWAY }
const paths = { scheduled: '/scheduled_messages', reminders: '/reminders' }

const longOf = ({ organization }: Scene) => ({ ...long, to: organization.channelIds[0] })

/** Id of the first of this many; the reader has no others. */
async function scheduled(scene: Scene, many = MOST): Promise<number> {
  const { reader } = scene
  const { scheduled_messages: all } = await reader.must('GET', paths.scheduled)
  for (const { scheduled_message_id: id } of all.slice(many)) await reader.must('DELETE', `${paths.scheduled}/${id}`)
  for (let count = all.length; count < many; count += 1) await reader.must('POST', paths.scheduled, longOf(scene))
  return (await reader.must('GET', paths.scheduled)).scheduled_messages[0]?.scheduled_message_id
}

/** The reader's longest message. */
const longMessage = (scene: Scene): Promise<number> =>
  scene.once('long message', async () => {
    const to = [scene.reader.userId]
    return (await scene.reader.must('POST', '/messages', { type: 'direct', to, content: '`'.repeat(9999) })).id
  }) as Promise<number>

async function reminded(scene: Scene, many = 100): Promise<number> {
  const { reader } = scene
  const message_id = await longMessage(scene)
  const { reminders: all } = await reader.must('GET', paths.reminders)
  for (const { reminder_id: id } of all.slice(many)) await reader.must('DELETE', `${paths.reminders}/${id}`)
  for (let count = all.length; count < many; count += 1) {
    await reader.must('POST', paths.reminders, { message_id, scheduled_delivery_timestamp: FAR_AWAY })
  }
  return (await reader.must('GET', paths.reminders)).reminders[0]?.reminder_id
}

export const worstCalls: WorstCalls = {
  'get-scheduled-messages': [{ prepare: scheduled, call: always('GET', paths.scheduled) }],
  'create-scheduled-message': [
    {
      what: 'for 499 people',
      prepare: (scene) => scheduled(scene, MOST - 1),
      call: ({ reader, organization }) =>
        reader.post(paths.scheduled, { ...long, type: 'direct', to: organization.userIds.slice(1, 499) }),
    },
  ],
  'update-scheduled-message': [
    {
      prepare: (scene) => scheduled(scene),
      call: ({ reader }, id) => reader.patch(`${paths.scheduled}/${id}`, { content: 'y'.repeat(4000) }),
    },
  ],
  'delete-scheduled-message': [
    { prepare: (scene) => scheduled(scene), call: ({ reader }, id) => reader.delete(`${paths.scheduled}/${id}`) },
  ],
  'get-reminders': [{ prepare: (scene) => reminded(scene), call: always('GET', paths.reminders) }],
  'create-reminder': [
    {
      what: 'of the longest message',
      prepare: async (scene) => {
        await reminded(scene, 99)
        return longMessage(scene)
      },
      call: ({ reader }, message_id) =>
        reader.post(paths.reminders, { message_id, scheduled_delivery_timestamp: FAR_AWAY, note: 'x'.repeat(1000) }),
    },
  ],
  'delete-reminder': [
    { prepare: (scene) => reminded(scene), call: ({ reader }, id) => reader.delete(`${paths.reminders}/${id}`) },
  ],
}
