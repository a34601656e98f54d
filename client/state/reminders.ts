import { ownList } from './own-lists.ts'

export const part = ownList('reminders', 'reminder', 'reminder_id')
