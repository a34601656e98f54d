import { Agreement } from './agreement.ts'
import { channelsAgree } from './channels.ts'
import { receiptsAgree, topicsAgree } from './conversations.ts'
import { messagesAgree } from './messages.ts'
import { mutedTopicsAgree } from './muted-topics.ts'
import { usersAgree } from './users.ts'
import type { Viewer } from './viewer.ts'

/** Reads everything that the viewer can see of the world, and compares it. Nothing may happen meanwhile. */
export async function viewsOf(viewer: Viewer): Promise<Agreement> {
  const agreement = new Agreement()
  const [messages] = await Promise.all([
    messagesAgree(viewer, agreement),
    channelsAgree(viewer, agreement),
    usersAgree(viewer, agreement),
    topicsAgree(viewer, agreement),
    mutedTopicsAgree(viewer, agreement),
  ])
  await receiptsAgree(viewer, messages, agreement)
  return agreement
}
