import { Configuration, EventsApi, MessagesApi, ResponseError, ServerApi, UsersApi } from './client'

const {
  PARLEY_URL: basePath = '',
  PARLEY_LOGIN: login = '',
  PARLEY_TOPIC: topic = '',
  PARLEY_CONTENT: content = '',
} = process.env
const [username = '', password = ''] = login.split(':')
const configuration = new Configuration({ basePath, username, password })
const messages = new MessagesApi(configuration)
const events = new EventsApi(configuration)

async function main(): Promise<void> {
  const health = await new ServerApi(configuration).getHealth()
  const queue = await events.registerQueue({
    applyMarkdown: false,
    eventTypes: JSON.stringify(['message']),
    narrow: JSON.stringify([['topic', topic]]),
  })
  const sent = await messages.sendMessage({ type: 'channel', to: 'general', topic, content })
  const narrow = JSON.stringify([{ operator: 'topic', operand: topic }])
  const found = await messages.getMessages({
    anchor: 'newest',
    numBefore: 5,
    numAfter: 0,
    narrow,
    applyMarkdown: false,
  })
  const polled = await events.getEvents({ queueId: queue.queueId ?? undefined, lastEventId: -1 })
  const event = polled.events?.find((one) => one.type === 'message')
  const person = await new UsersApi(configuration).getUser({ userIdOrEmail: username })
  const refused: unknown = await messages.deleteMessage({ messageId: 2147483646 }).catch((err: unknown) => err)
  console.log(
    JSON.stringify({
      health: health.status,
      sent: sent.id,
      found: found.messages.map((message) => message.content),
      event: event?.type === 'message' ? event.message.content : undefined,
      role: person.user.role,
      refused: refused instanceof ResponseError ? (await refused.response.json()).code : refused,
    }),
  )
}

void main()
