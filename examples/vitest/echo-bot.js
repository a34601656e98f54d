import { setTimeout as delay } from 'node:timers/promises'

/** What the server answers; a connection that breaks, and a page that is no JSON, are answers too. */
async function ask(call) {
  try {
    return await call()
  } catch (err) {
    return { result: 'no answer', msg: String(err) }
  }
}

/** As long as the server asks for, or a moment, longer each time. */
function pause({ 'retry-after': seconds }, failures) {
  return delay(seconds === undefined ? 200 * failures * (0.5 + Math.random()) : seconds * 1000)
}

async function untilItSucceeds(call) {
  for (let failures = 1; ; failures += 1) {
    const answer = await ask(call)
    if (answer.result === 'success') return answer
    await pause(answer, failures)
  }
}

/** Answers direct messages with what they say until it is told to end, and loses none while it has its queue. */
export async function runEchoBot(client, isOver) {
  const { user_id: own } = await untilItSucceeds(() => client.users.me.getProfile())
  const register = () => untilItSucceeds(() => client.queues.register({ event_types: ['message'] }))
  let { queue_id, last_event_id } = await register()
  let failures = 0
  while (!isOver()) {
    const polled = await ask(() => client.events.retrieve({ queue_id, last_event_id }))
    if (polled.code === 'BAD_EVENT_QUEUE_ID') {
      ;({ queue_id, last_event_id } = await register())
    } else if (polled.result !== 'success') {
      failures += 1
      await pause(polled, failures)
    } else {
      failures = 0
      for (const event of polled.events) {
        last_event_id = Math.max(last_event_id, event.id)
        if (event.type === 'message' && event.message.sender_id !== own) await answer(client, event.message)
      }
    }
  }
}

function answer(client, { display_recipient: people, content }) {
  const to = people.map(({ id }) => id)
  return untilItSucceeds(() => client.messages.send({ type: 'direct', to, content: `You said: ${content}` }))
}
