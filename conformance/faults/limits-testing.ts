import type { SeededFault } from '../testing.ts'
import { ofMessage, ofSuccess } from './changes-testing.ts'

/** A state in which a limit has this value. */
function limit(name: string, only: string, violates: string, value: unknown): SeededFault {
  const fault = ofSuccess('POST', '/register', (body) => {
    body[name] = value
  })
  return { name: `${name} is ${JSON.stringify(value)}`, only, violates: [violates], fault }
}

export const faults: readonly SeededFault[] = [
  limit('max_topic_length', 'limits/topic', 'LIMIT-4', null),
  limit('max_topic_length', 'limits/topic', 'LIMIT-4', 59),
  limit('max_topic_length', 'limits/topic', 'LIMIT-4', 61),
  {
    name: 'topic counted in bytes',
    only: 'limits/topic',
    violates: ['LIMIT-4'],
    fault: ofMessage((message) => {
      message.subject = Buffer.from(message.subject).subarray(0, 60).toString()
    }),
  },
  {
    name: 'topic cut without a sign',
    only: 'limits/topic',
    violates: ['LIMIT-14'],
    fault: ofMessage((message) => {
      message.subject = message.subject.replace(/\.\.\.$/, 'aaa')
    }),
  },
  {
    name: 'content cut without a sign',
    only: 'limits/content',
    violates: ['LIMIT-15'],
    fault: ofMessage((message) => {
      message.content = message.content.replace('[message truncated]', 'and so on')
    }),
  },
  limit('max_message_length', 'limits/content', 'MSG-EDIT-22', '10000'),
  limit('max_message_length', 'limits/content', 'MSG-EDIT-22', 9999),
  limit('max_message_length', 'limits/content', 'MSG-EDIT-22', 10_001),
  limit('realm_message_content_edit_limit_seconds', 'limits/state', 'LIMIT-6', '600'),
  limit('realm_move_messages_within_stream_limit_seconds', 'limits/state', 'LIMIT-7', undefined),
  limit('realm_move_messages_between_streams_limit_seconds', 'limits/state', 'LIMIT-8', -1),
]
