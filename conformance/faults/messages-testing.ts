import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, refuse, succeed } from './changes-testing.ts'

const lists = 'message-lists/range'

function ofReaction(change: (reaction: Json) => void): Fault {
  return ofMessage((message) => message.reactions.forEach(change))
}

/** A field of a channel message that has another value than it should. */
function field(name: string, violates: string, value: unknown, only = 'messages/channel'): SeededFault {
  const fault = ofMessage((message) => {
    message[name] = value
  })
  return { name: `${name} is ${JSON.stringify(value)} (${only})`, only, violates: [violates], fault }
}

export const faults: readonly SeededFault[] = [
  field('id', 'MSG-FIELD-1', 7),
  {
    name: 'ids that fall',
    only: 'messages/channel',
    violates: ['MSG-FIELD-2'],
    fault: ofMessage((message) => {
      message.id = -message.id
    }),
  },
  field('type', 'MSG-FIELD-3', 'channel'),
  field('type', 'MSG-FIELD-3', 'direct', 'messages/direct'),
  field('stream_id', 'MSG-FIELD-4', '7'),
  field('stream_id', 'MSG-FIELD-5', null, 'messages/direct'),
  field('subject', 'MSG-FIELD-6', 'other'),
  field('subject', 'SCOPE-2', null),
  field('stream_id', 'SCOPE-3', 7, 'messages/direct'),
  {
    name: 'conversation with another ID for each direction',
    only: 'messages/conversations',
    violates: ['LEVEL-327'],
    fault: ofMessage((message) => {
      message.recipient_id = message.sender_id
    }),
  },
  field('recipient_id', 'LEVEL-482', 7, 'messages/conversations'),
  {
    name: 'picture never told',
    only: 'messages/avatar',
    violates: ['MSG-FIELD-21', 'MSG-FIELD-22'],
    needsUsers: true,
    fault({ body }) {
      for (const message of [body?.message, ...(body?.messages ?? [])]) {
        if (message) Object.assign(message, { avatar_url: null, sender_email: 'user7@example.com' })
      }
    },
  },
  field('subject', 'MSG-FIELD-7', 'general chat', 'messages/direct'),
  field('topic_links', 'MSG-FIELD-9', {}, 'messages/topic-links'),
  field('topic_links', 'MSG-FIELD-9', [{ text: 'plain', url: 'https://example.com' }], 'messages/topic-links'),
  {
    name: 'topic without the link of a linkifier',
    only: 'messages/topic-links',
    violates: ['MSG-FIELD-9'],
    fault({ body }, { path }) {
      const linkifier = {
        id: 1,
        pattern: '#(?P<id>[0-9]+)',
        url_template: 'https://example.com/{id}',
        example_input: '#7',
      }
      if (path === '/register') body.realm_linkifiers = [linkifier]
    },
  },
  {
    name: 'links without their texts',
    only: 'messages/topic-links',
    violates: ['MSG-FIELD-10'],
    fault: ofMessage((message) => {
      message.topic_links = message.topic_links?.map(({ url }: Json) => ({ url }))
    }),
  },
  {
    name: 'picture left to whoever cannot know the address',
    only: 'messages/avatar',
    violates: ['MSG-FIELD-21'],
    needsUsers: true,
    fault: pictureOfHidden(),
  },
  field('timestamp', 'MSG-FIELD-15', 1_700_000_000),
  field('sender_id', 'MSG-FIELD-16', 0),
  field('sender_email', 'MSG-FIELD-17', 'somebody@example.com'),
  field('sender_full_name', 'MSG-FIELD-18', 'Somebody'),
  field('sender_realm_str', 'MSG-FIELD-19', null),
  field('avatar_url', 'MSG-FIELD-20', false),
  field('client', 'MSG-FIELD-23', null),
  field('is_me_message', 'MSG-FIELD-24', true),
  field('is_me_message', 'MSG-FIELD-24', false, 'messages/content'),
  field('recipient_id', 'MSG-FIELD-25', null),
  field('display_recipient', 'MSG-FIELD-26', []),
  field('display_recipient', 'MSG-FIELD-26', 'somebody', 'messages/direct'),
  {
    name: 'direct message that names the others only',
    only: 'messages/direct',
    violates: ['MSG-FIELD-27'],
    fault: ofMessage((message) => message.display_recipient.pop()),
  },
  field('flags', 'MSG-FIELD-28', null),
  field('flags', 'MSG-FIELD-28', ['starred'], 'messages/flags'),
  field('flags', 'MSG-FIELD-28', [], 'messages/flags'),
  field('reactions', 'MSG-FIELD-30', null),
  field('reactions', 'MSG-FIELD-30', [], 'reactions/add'),
  field('submessages', 'MSG-FIELD-32', null),
  field('edit_history', 'MSG-FIELD-35', []),
  field('last_edit_timestamp', 'MSG-FIELD-38', 1_800_000_000),
  field('last_moved_timestamp', 'MSG-FIELD-40', 1_800_000_000),
  {
    name: 'HTML where Markdown is asked for',
    only: 'messages/content',
    violates: ['MSG-FIELD-12', 'MSG-FIELD-14', 'MSG-GET-3'],
    fault: ofMessage((message) => {
      message.content = '<p>Some <strong>bold</strong> words.</p>'
      message.content_type = 'text/html'
    }),
  },
  {
    name: 'Markdown where HTML is asked for',
    only: 'messages/content',
    violates: ['MSG-FIELD-11', 'MSG-FIELD-13', 'MSG-GET-2'],
    fault: ofMessage((message) => {
      message.content = 'Some **bold** words.'
      message.content_type = 'text/x-markdown'
    }),
  },
  {
    name: 'no raw_content',
    only: 'messages/content',
    violates: ['MSG-FIELD-42'],
    fault: ofMessage((_, { body }) => {
      delete body.raw_content
    }),
  },
  {
    name: 'another message than the path names',
    only: 'messages/content',
    violates: ['MSG-GET-1'],
    fault: ofMessage((message) => {
      message.id += 1
    }),
  },
  {
    name: 'message that is not an object',
    only: 'messages/content',
    violates: ['MSG-GET-6'],
    fault: ofMessage((_, { body }) => {
      body.message = 'Some words.'
    }),
  },
  {
    name: 'empty topic never shown as what it is called',
    only: 'messages/empty-topic',
    violates: ['MSG-FIELD-8', 'MSG-GET-4'],
    fault: ofMessage((message) => {
      message.subject = ''
    }),
  },
  field('subject', 'MSG-GET-5', 'general chat', 'messages/empty-topic'),
  {
    name: 'empty topic without a name',
    only: 'messages/empty-topic',
    violates: ['EMPTY-2'],
    fault({ body }) {
      delete body?.realm_empty_topic_display_name
    },
  },
  {
    name: 'empty topic refused',
    only: 'messages/empty-topic',
    violates: ['EMPTY-1'],
    fault(answer, { method, path, parameters }) {
      if (method === 'POST' && path === '/messages' && parameters.get('topic') === '') refuse(answer, 'BAD_REQUEST')
    },
  },
  {
    name: 'hidden message told apart from none',
    only: 'messages/hidden',
    violates: ['MSG-GET-8', 'MSG-GET-9', 'MSG-GET-10'],
    fault(answer, { method }) {
      if (method === 'GET' && answer.status === 400) refuse(answer, 'MESSAGE_HIDDEN')
    },
  },
  {
    name: 'reaction refused',
    only: 'reactions/add',
    violates: ['REACT-1'],
    fault(answer, { method, path }) {
      if (method === 'POST' && path.endsWith('/reactions')) refuse(answer, 'BAD_REQUEST')
    },
  },
  {
    name: 'reaction of somebody else',
    only: 'reactions/add',
    violates: ['REACT-7', 'MSG-FIELD-31'],
    fault: ofMessage((message) => message.reactions.reverse()),
  },
  {
    name: 'another emoji than was named',
    only: 'reactions/add',
    violates: ['REACT-3', 'REACT-FIELD-1', 'REACT-FIELD-4'],
    fault: ofReaction((reaction) => {
      reaction.emoji_name = 'tada'
      reaction.emoji_code = '1f389'
    }),
  },
  {
    name: 'code that is not text',
    only: 'reactions/add',
    violates: ['REACT-FIELD-2'],
    fault: ofReaction((reaction) => {
      reaction.emoji_code = 419
    }),
  },
  {
    name: 'kind of emoji that does not exist',
    only: 'reactions/add',
    violates: ['REACT-FIELD-3'],
    fault: ofReaction((reaction) => {
      reaction.reaction_type = 'emoji'
    }),
  },
  {
    name: 'user in words',
    only: 'reactions/add',
    violates: ['REACT-FIELD-7', 'LEVEL-328'],
    fault: ofReaction((reaction) => {
      reaction.user = { id: reaction.user_id }
      reaction.user_id = String(reaction.user_id)
    }),
  },
  {
    name: 'extra emoji under a number',
    only: 'reactions/extra',
    violates: ['REACT-FIELD-6'],
    fault: ofReaction((reaction) => {
      reaction.emoji_code = '1'
    }),
  },
  {
    name: 'old word for extra emoji not understood',
    only: 'reactions/extra',
    violates: ['REACT-FIELD-8'],
    fault(answer, { parameters }) {
      if (parameters.get('reaction_type') === 'zulip_extra_emoji') refuse(answer, 'BAD_REQUEST')
    },
  },
  {
    name: 'reaction without a type does not join',
    only: 'reactions/join',
    violates: ['REACT-4'],
    fault: apartWithoutType(),
  },
  ...['unicode_emoji', 'service_extra_emoji'].map((type) => ({
    name: `${type} not taken`,
    only: 'reactions/types',
    violates: ['REACT-5'],
    fault: notTaken(type),
  })),
  {
    name: 'realm_emoji not taken',
    only: 'reactions/types',
    violates: ['REACT-5'],
    fault: notTaken('realm_emoji'),
  },
  {
    name: 'reaction in an archived channel accepted',
    only: 'reactions/archived',
    violates: ['REACT-11'],
    fault(answer, { path }) {
      if (path.endsWith('/reactions')) succeed(answer)
    },
  },
  {
    name: 'newest message first',
    only: lists,
    violates: ['REF-6'],
    fault: ofSuccess('GET', '/messages', ({ messages }) => messages.reverse()),
  },
  {
    name: 'list that never reaches the newest message',
    only: lists,
    violates: ['REF-6'],
    fault: ofSuccess('GET', '/messages', (body) => {
      body.found_newest = false
    }),
  },
  {
    name: 'list that is always complete',
    only: lists,
    violates: ['REF-6'],
    fault: ofSuccess('GET', '/messages', (body) => {
      body.found_oldest = true
    }),
  },
  {
    name: 'marked messages counted again',
    only: 'message-lists/flags',
    violates: ['REF-4'],
    fault: ofSuccess('POST', '/flags/narrow', (body) => {
      body.updated_count = body.processed_count
    }),
  },
  {
    name: 'message beside the range marked',
    only: 'message-lists/flags',
    violates: ['REF-4'],
    fault: ofMessage((message) => {
      if (!message.flags.includes('starred')) message.flags.push('starred')
    }),
  },
  {
    name: 'reaction under a former name refused',
    only: 'reactions/join',
    violates: ['REACT-4'],
    fault(answer, { parameters }) {
      if (parameters.get('emoji_name') === 'conformance_former_name') refuse(answer, 'BAD_REQUEST')
    },
  },
  {
    name: 'reaction with the code of another name refused without its type',
    only: 'reactions/join',
    violates: ['REACT-5'],
    fault(answer, { method, parameters }) {
      const isVote = method === 'POST' && parameters.has('emoji_code')
      if (isVote && !parameters.has('reaction_type')) refuse(answer)
    },
  },
  {
    name: 'reaction that joins under a name of its own',
    only: 'reactions/join',
    violates: ['REACT-4'],
    fault: ofReaction((reaction) => {
      reaction.emoji_name = `emoji_of_${reaction.user_id}`
    }),
  },
  {
    name: 'every reaction accepted',
    only: 'reactions/refused',
    violates: ['REACT-2', 'REACT-5', 'REACT-8', 'REACT-9', 'REACT-12'],
    fault(answer, { path }) {
      if (!path.endsWith('/reactions')) return
      answer.status = 200
      answer.body = { result: 'success', msg: '' }
    },
  },
]

/** Whoever reacts with a code and no type gets the name that they sent. */
function apartWithoutType(): Fault {
  const untyped = new Map<string, string>()
  return ({ body }, { method, path, parameters }) => {
    const [, id = ''] = /^\/messages\/(\d+)/.exec(path) ?? []
    if (path.endsWith('/reactions')) {
      if (method === 'POST' && !parameters.has('reaction_type') && parameters.has('emoji_code')) {
        untyped.set(id, parameters.get('emoji_name') ?? '')
      } else untyped.delete(id)
    }
    const name = untyped.get(id)
    const last = body?.message?.reactions.at(-1)
    if (name !== undefined && last !== undefined) last.emoji_name = name
  }
}

function notTaken(type: string): Fault {
  return (answer, { path, parameters }) => {
    if (path.endsWith('/reactions') && parameters.get('reaction_type') === type) refuse(answer)
  }
}

/** The pictures of those who hide their addresses are still left to clients. */
function pictureOfHidden(): Fault {
  let areHidden = false
  return (answer, { parameters }) => {
    if (parameters.get('email_address_visibility') === '4') areHidden = true
    if (!areHidden || parameters.get('client_gravatar') === 'false') return
    const { body } = answer
    for (const message of [body?.message, ...(body?.messages ?? [])]) {
      if (message) Object.assign(message, { avatar_url: null, sender_email: `user${message.sender_id}@127.0.0.1` })
    }
  }
}
