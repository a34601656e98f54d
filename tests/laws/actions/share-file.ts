import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface ShareFile {
  readonly kind: 'share file'
  readonly actor: Person
  readonly other: Person
  readonly isDeleted: boolean
}

/** Uploads a file, sends it to somebody, and perhaps deletes it again. */
export const shareFile: ActionKind<ShareFile> = {
  kinds: ['share file'],
  weight: 1,
  any: fc.record({
    kind: fc.constant('share file' as const),
    actor: fc.constantFrom(...PEOPLE),
    other: fc.constantFrom(...PEOPLE),
    isDeleted: fc.boolean(),
  }),
  async request(run, { actor, other, isDeleted }) {
    const client = run.as(actor)
    const uploaded = await client.upload('notes.txt', 'x')
    if (uploaded.status !== 200) return uploaded
    const to = run.named([other], false)
    const content = `[notes](${uploaded.body.url})`
    const sent = await client.post('/messages', { type: 'direct', to, content })
    if (sent.status === 200) run.messages.push(sent.body.id)
    if (!isDeleted) return sent
    const list = await client.get('/attachments')
    if (list.status !== 200) return list
    const own = list.body.attachments.find((one: { path_id: string }) => uploaded.body.url.endsWith(one.path_id))
    return client.delete(`/attachments/${own.id}`)
  },
}
