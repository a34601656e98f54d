import { newMessage } from './messages.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'add-reaction': async (scene) => ({ message_id: await newMessage(scene), emoji_name: 'octopus' }),
  'remove-reaction': async (scene) => {
    const values = { message_id: await newMessage(scene), emoji_name: 'octopus' }
    await scene.user.must('add-reaction', values)
    return values
  },
}
