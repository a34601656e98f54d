import { ownList } from './own-lists.ts'

export const part = ownList('scheduled_messages', 'scheduled_message', 'scheduled_message_id')
