import { Agreement } from './agreement.ts'
import { channelsAgree } from './channels.ts'
import { flagsAgree, topicsAgree } from './conversations.ts'
import { messagesAgree } from './messages.ts'
import { ownListsAgree } from './own.ts'
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
    ownListsAgree(viewer, agreement),
  ])
  await flagsAgree(viewer, messages, agreement)
  return agreement
}
