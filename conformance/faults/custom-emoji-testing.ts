import type { SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const only = 'add-custom-emoji'
const one = /^\/realm\/emoji\/.+/

const ofListed = (change: (emoji: Json) => void) =>
  ofSuccess('GET', '/realm/emoji', ({ emoji }) => {
    for (const listed of Object.values<Json>(emoji)) change(listed)
  })

const obeyed = (method: string, status: number) =>
  ((answer, request) => {
    if (request.method === method && one.test(request.path) && answer.status === status) succeed(answer, {})
  }) satisfies SeededFault['fault']

export const faults: readonly SeededFault[] = [
  misanswered(only, 'anything a picture, and any name one of an emoji', obeyed('POST', 400)),
  misanswered(only, 'emoji that everybody deactivates', obeyed('DELETE', 400)),
  misanswered(only, 'emoji deactivated twice', obeyed('DELETE', 404)),
  misanswered(
    only,
    'emoji that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm_emoji')),
  ),
  misanswered(
    only,
    'emoji told as if they were in use for ever',
    ofEvent('realm_emoji', ({ realm_emoji }) => {
      for (const emoji of Object.values<Json>(realm_emoji)) emoji.deactivated = false
    }),
  ),
  misanswered(
    only,
    'emoji of nobody',
    ofListed((emoji) => {
      emoji.author_id = null
    }),
  ),
  misanswered(
    only,
    'pictures that all move',
    ofListed((emoji) => {
      emoji.still_url = null
    }),
  ),
  misanswered(
    only,
    'moving pictures that are not there',
    ofListed((emoji) => {
      emoji.source_url = '/user_avatars/emoji/images/none.gif'
    }),
  ),
  misanswered(
    only,
    'messages without custom emoji',
    ofMessage((message) => {
      message.content = message.content.replaceAll(/<img [^>]*>/g, '')
    }),
  ),
  {
    name: 'custom emoji need a type',
    only: 'reactions/custom',
    violates: ['REACT-6'],
    fault(answer, { method, path, parameters }) {
      const isReaction = method === 'POST' && path.endsWith('/reactions')
      if (isReaction && !parameters.has('reaction_type')) refuse(answer, 'BAD_REQUEST')
    },
  },
  {
    name: 'custom emoji taken for others',
    only: 'reactions/custom',
    violates: ['REACT-6', 'REACT-FIELD-5'],
    fault: ofMessage((message) => {
      for (const reaction of message.reactions) {
        reaction.reaction_type = 'unicode_emoji'
        reaction.emoji_code = reaction.emoji_name
      }
    }),
  },
  {
    name: 'custom emoji after others of the name',
    only: 'reactions/named-like-others',
    violates: ['REACT-10'],
    fault: ofMessage((message) => message.reactions.reverse()),
  },
]
