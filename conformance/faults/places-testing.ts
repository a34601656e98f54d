import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEvent } from './events-testing.ts'
import { changedJson, misanswered, misread } from './misreadings-testing.ts'

const displayName = 'general chat'
const inputs = 'empty-topic/inputs'
const outputs = 'empty-topic/outputs'
const needsUsers = { needsUsers: true }

/** Every topic of that name in a narrow is one of that name, and nothing else. */
const literally = changedJson('narrow', (terms: Json[]) =>
  terms.map((term) => {
    const [operator, operand] = Array.isArray(term) ? term : [term.operator, term.operand]
    return operator === 'topic' && operand === displayName ? { ...term, operator, operand: 'literally that' } : term
  }),
)
const narrows = [
  ['GET', '/messages'],
  ['GET', '/messages/matches_narrow'],
  ['POST', '/messages/flags/narrow'],
  ['POST', '/register'],
] as const

/** A topic input that takes the display name for a name. */
function named(parameters: URLSearchParams): void {
  if (parameters.get('topic') === displayName) parameters.set('topic', 'named so')
}

/** Everybody is told the empty topic by the same one of its names. */
const called = (type: string, field: string, from: string, to: string): Fault =>
  ofEvent(type, (event) => {
    const holder = type === 'message' ? event.message : event
    if (holder[field] === from) holder[field] = to
  })

const told = [
  ['message', 'subject'],
  ['user_topic', 'topic_name'],
  ['typing', 'topic'],
  ['delete_message', 'topic'],
] as const

function ofState(change: (body: Json) => void): Fault {
  return ofSuccess('POST', '/register', change)
}

const firstCode = (one: Json): void => {
  one.emoji_code = String(one.emoji_code).split('-')[0]
}
const usual = (one: Json): void => {
  if (one.reaction_type !== undefined) one.reaction_type = 'unicode_emoji'
}

const ids = (change: (file: Json) => void, event = 'update'): Fault =>
  ofEvent('attachment', ({ op, attachment }) => {
    if (op === event) change(attachment)
  })

/** Things that have another name, or lack something, in one of their places. */
export const faults: readonly SeededFault[] = [
  ...narrows.map((operation) =>
    misread(inputs, `the empty topic by name in ${operation[1]}`, operation, literally, needsUsers),
  ),
  {
    ...misanswered(inputs, 'a channel marked as read for its empty topic', () => {}, true),
    before: ({ url, form }) => {
      if (url.pathname === '/api/v1/mark_topic_as_read' && form.get('topic_name') === '')
        url.pathname = '/api/v1/mark_stream_as_read'
    },
  },
  misread(inputs, 'a policy for the empty topic by name', ['POST', '/user_topics'], named, needsUsers),
  misread(
    inputs,
    'the empty topic muted by name',
    ['PATCH', '/users/me/subscriptions/muted_topics'],
    named,
    needsUsers,
  ),
  ...told.flatMap(([type, field]) => [
    misanswered(outputs, `${field} of ${type} always empty`, called(type, field, displayName, ''), true),
    misanswered(outputs, `${field} of ${type} never empty`, called(type, field, '', displayName), true),
  ]),
  misanswered(
    outputs,
    'unread messages of the empty topic by name',
    ofState(({ unread_msgs: unread }) => {
      for (const one of unread?.streams ?? []) if (one.topic === '') one.topic = displayName
    }),
    true,
  ),
  misanswered(
    outputs,
    'policies for the empty topic without its name',
    ofState(({ user_topics: policies = [] }) => {
      for (const one of policies) if (one.topic_name === displayName) one.topic_name = ''
    }),
    true,
  ),
  ...(
    [
      ['codes of one codepoint', firstCode],
      ['one namespace for all emoji', usual],
    ] as const
  ).flatMap(([name, change]) => [
    misanswered('add-reaction/kinds', `${name} in events`, ofEvent('reaction', change)),
    misanswered('add-reaction/kinds', `${name} in events of statuses`, ofEvent('user_status', change)),
    misanswered(
      'add-reaction/kinds',
      `${name} in lists`,
      ofSuccess('GET', '/messages', ({ messages = [] }) =>
        messages.flatMap((one: Json) => one.reactions).forEach(change),
      ),
    ),
    misanswered(
      'add-reaction/kinds',
      `${name} in statuses`,
      ofSuccess('GET', /\/status$/, ({ status }) => change(status)),
    ),
  ]),
  misanswered(
    'upload-file/places',
    'events with the newest message alone',
    ids((file) => {
      file.message_ids = file.message_ids.slice(-1)
    }),
  ),
  misanswered(
    'upload-file/places',
    'events with another size',
    ids((file) => {
      file.size += 1
    }),
  ),
  misanswered(
    'upload-file/places',
    'what was detached still knows the message',
    ofSuccess('PATCH', /^\/messages\/\d+$/, (body, { path }) => {
      for (const file of body.detached_uploads) file.message_ids = [Number(path.split('/').at(-1))]
    }),
  ),
  misanswered(
    'upload-file/places',
    'what was detached under another name',
    ofSuccess('PATCH', /^\/messages\/\d+$/, (body) => {
      for (const file of body.detached_uploads) file.name = file.path_id
    }),
  ),
  ...(
    [
      ['the newest vote alone', (all: Json[]) => all.slice(-1)],
      ['the newest vote first', (all: Json[]) => all.toReversed()],
      ['no votes', (all: Json[]) => all.slice(0, 1)],
    ] as const
  ).flatMap(([name, change]) => [
    misanswered(
      'add-submessage/places',
      `${name} in lists`,
      ofSuccess('GET', '/messages', ({ messages = [] }) => {
        for (const one of messages) one.submessages = change(one.submessages)
      }),
    ),
    misanswered(
      'add-submessage/places',
      `${name} alone`,
      ofSuccess('GET', /^\/messages\/\d+$/, ({ message }) => {
        message.submessages = change(message.submessages)
      }),
    ),
  ]),
]
