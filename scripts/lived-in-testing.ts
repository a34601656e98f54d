import { readFileSync } from 'node:fs'
import type { DemoCredentials } from '../server/first-start.ts'
import { ApiClient } from '../server/testing.ts'

const habits = {
  presence_enabled: false,
  send_private_typing_notifications: false,
  send_stream_typing_notifications: false,
  send_read_receipts: false,
  default_language: 'de',
  twenty_four_hour_time: true,
  automatically_follow_topics_policy: 1,
  automatically_unmute_topics_in_muted_streams_policy: 1,
}
const topics = 7
const bursts = 40
const messagesInBurst = 25

/** Gives every account of a demo organization choices that requests may fail on, and sends a thousand messages. */
export async function liveIn(url: string, credentialsFile: string): Promise<void> {
  const { users } = JSON.parse(readFileSync(credentialsFile, 'utf8')) as DemoCredentials
  const people = Object.entries(users).flatMap(([key, login]) => (key === 'bot' ? [] : [new ApiClient(url, login)]))
  for (const person of people) {
    await person.must('PATCH', '/settings', habits)
    const words = ['the', 'message', 'conformance', 'first', 'edited']
    await person.must('POST', '/users/me/alert_words', { alert_words: words })
    for (const { userId } of people.filter((other) => other !== person)) {
      await person.must('POST', `/users/me/muted_users/${userId}`)
    }
    await person.must('POST', '/users/me/status', { status_text: 'away', emoji_name: 'octopus' })
  }
  const [writer] = people
  for (let burst = 0; burst < bursts; burst += 1) {
    const message = {
      type: 'stream',
      to: 'general',
      topic: `topic ${burst % topics}`,
      content: '@**all** the first message',
    }
    await Promise.all(Array.from({ length: messagesInBurst }, () => writer?.must('POST', '/messages', message)))
  }
}
