import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofEvent, ofSuccess } from './changes-testing.ts'

function constant(name: string, alongside: readonly string[], fault: Fault): SeededFault {
  const violates = ['CONTRACT-CONSTANT']
  return { name: `${name} (constant)`, only: 'run/constants', violates, alongside, needsUsers: true, fault }
}

const inEvents = (change: (message: Json) => void): Fault => ofEvent('message', ({ message }) => change(message))

export const faults: readonly SeededFault[] = [
  constant(
    'messages told at another time',
    ['tour/all'],
    inEvents((message) => {
      message.timestamp += 3600
    }),
  ),
  constant(
    'messages told with another client',
    ['tour/all'],
    inEvents((message) => {
      message.client = 'Another'
    }),
  ),
  constant(
    'one address for each sender in a channel',
    ['tour/all'],
    inEvents((message) => {
      message.recipient_id += message.sender_id * 1_000_000
    }),
  ),
  constant('one address for all channels', ['tour/all'], (answer) => {
    const lists = [
      answer.body?.messages,
      [answer.body?.message],
      answer.body?.events?.map((event: Json) => event.message),
    ]
    for (const one of lists.flat()) if (one?.type === 'stream') one.recipient_id = 1
  }),
  constant(
    'channels listed with another age',
    ['effects/get-streams'],
    ofSuccess('GET', '/streams', ({ streams }) => {
      for (const one of streams) one.date_created += 60
    }),
  ),
  constant(
    'nobody has made the channels that one follows',
    ['channels', 'effects/get-streams'],
    ofSuccess('GET', '/users/me/subscriptions', ({ subscriptions }) => {
      for (const one of subscriptions) one.creator_id = null
    }),
  ),
  constant(
    'users who joined when they were looked at',
    ['effects/create-user'],
    ofSuccess('GET', /^\/users\/\d+$/, ({ user }) => {
      user.date_joined = new Date().toISOString()
    }),
  ),
  constant(
    'files told at another time',
    ['effects/upload-file/places'],
    ofEvent('attachment', ({ attachment }) => {
      attachment.create_time *= 1000
    }),
  ),
]
