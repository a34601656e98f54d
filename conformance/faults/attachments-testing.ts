import type { SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess } from './changes-testing.ts'

const references = 'attachments/references'

/** A list of files in which each is like this. */
function file(name: string, only: string, violates: string, change: (one: Json) => void): SeededFault {
  return {
    name,
    only,
    violates: [violates],
    fault: ofSuccess('GET', '/attachments', (body) => body.attachments.forEach(change)),
  }
}

function record(name: string, violates: string, value: unknown): SeededFault {
  return file(`${name} of a file is ${JSON.stringify(value)}`, 'attachments/record', violates, (one) => {
    one[name] = value
  })
}

/** Submessages that are like this. */
function submessage(name: string, violates: string, value: unknown): SeededFault {
  const fault = ofMessage((message) => {
    for (const one of message.submessages) one[name] = value
  })
  return {
    name: `${name} of submessages is ${JSON.stringify(value)}`,
    only: 'submessages/poll',
    violates: [violates],
    fault,
  }
}

export const faults: readonly SeededFault[] = [
  record('id', 'ATTACH-1', '17'),
  record('name', 'ATTACH-2', 'file'),
  record('path_id', 'ATTACH-3', '1/ab/other.txt'),
  record('size', 'ATTACH-4', 27),
  record('create_time', 'ATTACH-5', 1_800_000_000_000),
  {
    name: 'another file served',
    only: 'attachments/record',
    violates: ['ATTACH-3'],
    fault(answer, { path }) {
      if (path.startsWith('/user_uploads/temporary/')) answer.body = 'another'
    },
  },
  file('messages of a file under their old name', references, 'ATTACH-6', (one) => {
    one.messages = one.message_ids.map((id: number) => ({ id }))
    delete one.message_ids
  }),
  {
    name: 'messages of a file never forgotten',
    only: references,
    violates: ['ATTACH-7'],
    fault: neverForgotten(),
  },
  {
    name: 'link of somebody else not counted',
    only: references,
    violates: ['ATTACH-6', 'ATTACH-7'],
    fault: ofSuccess('GET', '/attachments', ({ attachments }) => {
      for (const one of attachments) one.message_ids = one.message_ids.slice(0, -1)
    }),
  },
  {
    name: 'detached files never told',
    only: references,
    violates: ['MSG-EDIT-52'],
    fault: ofSuccess('PATCH', '', (body) => {
      body.detached_uploads = []
    }),
  },
  {
    name: 'every file told as detached',
    only: references,
    violates: ['MSG-EDIT-53', 'MSG-EDIT-54'],
    fault: ofSuccess('PATCH', '', (body) => {
      body.detached_uploads.push({ id: 17, path_id: '1/ab/conformance.txt' })
    }),
  },
  submessage('id', 'SUBMSG-1', 7),
  submessage('message_id', 'SUBMSG-2', 7),
  submessage('sender_id', 'SUBMSG-3', 7),
  submessage('msg_type', 'SUBMSG-4', null),
  submessage('content', 'SUBMSG-5', { type: 'vote' }),
]

function neverForgotten(): SeededFault['fault'] {
  const known = new Map<number, number[]>()
  return ofSuccess('GET', '/attachments', ({ attachments }) => {
    for (const one of attachments) {
      const before = known.get(one.id) ?? []
      one.message_ids = [...before, ...one.message_ids.filter((id: number) => !before.includes(id))]
      known.set(one.id, one.message_ids)
    }
  })
}
