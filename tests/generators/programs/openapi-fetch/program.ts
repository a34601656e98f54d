import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const {
  PARLEY_URL: baseUrl = '',
  PARLEY_LOGIN: login = '',
  PARLEY_TOPIC: topic = '',
  PARLEY_CONTENT: content = '',
} = process.env

/** A form without undefined fields, which openapi-fetch would send as a word, and with lists and objects as JSON. */
function formOf(fields: object = {}): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

const client = createClient<paths>({
  baseUrl,
  headers: {
    Authorization: `Basic ${Buffer.from(login).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
  },
  bodySerializer: formOf,
})

const health = await client.GET('/health')
const queue = await client.POST('/api/v1/register', {
  body: { apply_markdown: false, event_types: JSON.stringify(['message']), narrow: JSON.stringify([['topic', topic]]) },
})
// Undefined fields are not sent (U7).
const read_by_sender = undefined as boolean | undefined
const message = { type: 'channel', to: 'general', topic, content, read_by_sender } as const
const sent = await client.POST('/api/v1/messages', { body: message })
const narrow = JSON.stringify([{ operator: 'topic', operand: topic }])
const found = await client.GET('/api/v1/messages', {
  params: { query: { anchor: 'newest', num_before: 5, num_after: 0, narrow, apply_markdown: false } },
})
const polled = await client.GET('/api/v1/events', {
  params: { query: { queue_id: queue.data?.queue_id, last_event_id: -1 } },
})
const event = polled.data?.events?.find((one) => one.type === 'message')
const person = await client.GET('/api/v1/users/{user_id_or_email}', {
  params: { path: { user_id_or_email: login.split(':')[0] ?? '' } },
})
const refused = await client.DELETE('/api/v1/messages/{message_id}', { params: { path: { message_id: 2147483646 } } })

console.log(
  JSON.stringify({
    health: health.data?.status,
    sent: sent.data?.id,
    found: found.data?.messages.map((message) => message.content),
    event: event?.type === 'message' ? event.message.content : undefined,
    role: person.data?.user.role,
    refused: refused.error?.code,
  }),
)
