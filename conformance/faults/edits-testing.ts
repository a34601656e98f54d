import type { SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvents } from './events-testing.ts'

const content = 'edits/content'
const history = 'edits/history'

/** An edit history in which each entry is like this. */
function entry(name: string, violates: readonly string[], change: (one: Json, message: Json) => void): SeededFault {
  const fault = ofMessage((message) => {
    for (const one of message.edit_history ?? []) change(one, message)
  })
  return { name, only: history, violates, fault }
}

export const faults: readonly SeededFault[] = [
  {
    name: 'edit without effect',
    only: content,
    violates: ['MSG-EDIT-21'],
    fault: ofMessage((message) => {
      message.content = '<p>Before.</p>'
    }),
  },
  {
    name: 'edit answered without files',
    only: content,
    violates: ['MSG-EDIT-51'],
    fault: ofSuccess('PATCH', '', (body) => {
      delete body.detached_uploads
    }),
  },
  {
    name: 'edit of a message that the path does not name',
    only: content,
    violates: ['MSG-EDIT-1'],
    fault(answer, { method, path }) {
      if (method === 'PATCH' && path.endsWith('x')) succeed(answer)
    },
  },
  {
    name: 'edit not dated',
    only: content,
    violates: ['MSG-FIELD-37'],
    fault: ofMessage((message) => {
      delete message.last_edit_timestamp
    }),
  },
  {
    name: 'edit that counts as a move',
    only: content,
    violates: ['MSG-FIELD-40'],
    fault: ofMessage((message) => {
      message.last_moved_timestamp = message.last_edit_timestamp
    }),
  },
  {
    name: 'edit that changes when a message was sent',
    only: content,
    violates: ['MSG-FIELD-15'],
    fault: ofMessage((message) => {
      if (message.last_edit_timestamp) message.timestamp += 1
    }),
  },
  {
    name: 'escaping stored',
    only: 'edits/any-content',
    violates: ['MSG-EDIT-21'],
    fault: ofMessage((message) => {
      message.content = message.content.replaceAll('<', '&lt;')
    }),
  },
  {
    name: 'right hash refused',
    only: 'edits/expectation',
    violates: ['MSG-EDIT-23'],
    fault(answer, { parameters }) {
      if (parameters.has('prev_content_sha256')) refuse(answer, 'EXPECTATION_MISMATCH')
    },
  },
  {
    name: 'hash not looked at',
    only: 'edits/expectation',
    violates: ['MSG-EDIT-24', 'MSG-EDIT-25'],
    fault(answer, { parameters }) {
      if (parameters.has('prev_content_sha256') && answer.status === 400) succeed(answer)
    },
  },
  {
    name: 'refused edit made all the same',
    only: 'edits/expectation',
    violates: ['MSG-EDIT-24'],
    fault: ofMessage((message) => {
      message.content = 'Fourth.'
    }),
  },
  {
    name: 'every edit accepted',
    only: 'edits/refused',
    violates: ['MSG-EDIT-37', 'MSG-EDIT-56', 'MSG-EDIT-57', 'MSG-EDIT-62'],
    fault(answer, { method }) {
      if (method === 'PATCH' && answer.status === 400) succeed(answer)
    },
  },
  {
    name: 'edit by somebody else refused and made all the same',
    only: 'edits/refused',
    violates: ['MSG-EDIT-37'],
    fault: ofMessage((message) => {
      if (message.content === 'Before.') message.content = 'Not mine.'
    }),
  },
  {
    name: 'blank message',
    only: 'edits/refused',
    violates: ['MSG-EDIT-58'],
    fault: ofMessage((message) => {
      if (message.content === '(deleted)') message.content = ''
    }),
  },
  {
    name: 'former versions forgotten',
    only: history,
    violates: ['MSG-FIELD-33'],
    fault: ofMessage((message) => {
      delete message.edit_history
    }),
  },
  {
    name: 'oldest edit first',
    only: history,
    violates: ['MSG-FIELD-34'],
    fault: ofMessage((message) => message.edit_history?.reverse()),
  },
  entry('edit by nobody', ['MSG-HIST-1', 'MSG-HIST-2'], (one) => {
    one.user_id = null
  }),
  entry('edit in milliseconds', ['MSG-HIST-3'], (one) => {
    one.timestamp *= 1000
  }),
  entry('new text for the former one', ['MSG-HIST-4'], (one, message) => {
    one.prev_content = message.content
  }),
  entry('Markdown for the former HTML', ['MSG-HIST-5'], (one) => {
    one.prev_rendered_content = one.prev_content
  }),
  entry('version of the renderer told', ['LEVEL-284'], (one) => {
    one.prev_rendered_content_version = 1
  }),
  {
    name: 'impossible places accepted',
    only: 'edits/places',
    violates: ['MSG-EDIT-3', 'MSG-EDIT-15', 'MSG-EDIT-27', 'MSG-EDIT-28'],
    fault(answer, { method }) {
      if (method === 'PATCH' && answer.status === 400) succeed(answer)
    },
  },
  {
    name: 'edit in an impossible place refused and made all the same',
    only: 'edits/places',
    violates: ['MSG-EDIT-3', 'MSG-EDIT-15', 'MSG-EDIT-27', 'MSG-EDIT-28'],
    fault: ofMessage((message) => {
      message.content = 'After.'
    }),
  },
  {
    name: 'edit event without flags',
    only: 'edits/event',
    violates: ['EV-OTHER-12'],
    fault: ofEvents(({ body }) => {
      for (const event of body.events) delete event.flags
    }),
  },
  {
    name: 'old flag for mentions of everybody gone',
    only: 'mentions/flags',
    violates: ['MSG-FIELD-29'],
    fault: ofMessage((message) => {
      message.flags = message.flags.filter((flag: string) => flag !== 'wildcard_mentioned')
    }),
  },
  {
    name: 'everybody mentioned by a mention of one',
    only: 'mentions/flags',
    violates: ['MSG-FIELD-29'],
    fault: ofMessage((message) => {
      if (message.flags.includes('mentioned')) message.flags.push('wildcard_mentioned')
    }),
  },
  {
    name: 'everybody may mention many',
    only: 'mentions/many',
    violates: ['MSG-EDIT-48', 'MSG-EDIT-49', 'LIMIT-21'],
    needsUsers: true,
    fault(answer, { method }) {
      if (method === 'PATCH' && answer.status === 400) succeed(answer)
    },
  },
  {
    name: 'nobody may mention everybody',
    only: 'mentions/many',
    violates: ['MSG-EDIT-50', 'LIMIT-21'],
    needsUsers: true,
    fault(answer, { method, parameters }) {
      if (method === 'PATCH' && parameters.get('content')?.startsWith('@')) {
        refuse(answer, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
      }
    },
  },
]
