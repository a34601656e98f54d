import type { SeededFault } from '../testing.ts'
import type { Json } from './changes-testing.ts'
import { ofEvent, ofEventList, ofEvents } from './events-testing.ts'

/** Every event of one type is wrong in this way. */
function wrong(name: string, only: string, violates: string, type: string, change: (event: Json) => void): SeededFault {
  return { name, only: `own-events/${only}`, violates: [violates], fault: ofEvent(type, change) }
}

function never(name: string, only: string, violates: readonly string[], type: string): SeededFault {
  const fault = ofEventList((events) => events.filter((event) => event.type !== type))
  return { name, only: `own-events/${only}`, violates, fault }
}

function wrongSubscription(name: string, violates: string, change: (subscription: Json) => void): SeededFault {
  return wrong(name, 'subscription', violates, 'subscription', (event) => event.subscriptions?.forEach(change))
}

export const faults: readonly SeededFault[] = [
  never('alert words changed in silence', 'alert-words', ['EV-ALERT-1'], 'alert_words'),
  wrong('alert words without the newest', 'alert-words', 'EV-ALERT-2', 'alert_words', (event) => {
    event.alert_words.pop()
  }),
  never('settings changed in silence', 'settings', ['EV-SETTINGS-1'], 'user_settings'),
  wrong('setting under an older name', 'settings', 'EV-SETTINGS-2', 'user_settings', (event) => {
    event.property = event.property.replace('emojiset', 'emoji_set')
  }),
  wrong('value of a setting in words', 'settings', 'EV-SETTINGS-3', 'user_settings', (event) => {
    event.value = String(event.value)
  }),
  wrong('language by its own name', 'settings', 'EV-SETTINGS-4', 'user_settings', (event) => {
    if (event.value === 'de') event.language_name = 'Deutsch'
  }),
  wrong('language beside every setting', 'settings', 'EV-SETTINGS-5', 'user_settings', (event) => {
    event.language_name ??= 'English'
  }),
  {
    name: 'settings told to older clients too',
    only: 'own-events/settings',
    violates: ['LEVEL-439'],
    fault: ofEvents(({ body }) => {
      body.events = body.events.flatMap((event: Json) => [{ ...event, type: 'update_display_settings' }, event])
    }),
  },
  never('channels gained in silence', 'subscription', ['EV-SUBADD-1', 'EV-SUBADD-2'], 'subscription'),
  wrong('one of two channels', 'subscription', 'EV-SUBADD-2', 'subscription', (event) => event.subscriptions?.pop()),
  wrongSubscription('channel without its creator', 'EV-SUBADD-3', (one) => {
    delete one.creator_id
  }),
  wrongSubscription('channel of another name', 'EV-SUBADD-3', (one) => {
    one.name = `${one.name}.`
  }),
  wrongSubscription('channel without subscribers', 'EV-SUBADD-4', (one) => {
    delete one.subscribers
  }),
  wrongSubscription('notifications by number', 'EV-SUBADD-5', (one) => {
    one.push_notifications = 1
  }),
  wrongSubscription('channel that is muted or not', 'EV-SUBADD-6', (one) => {
    delete one.is_muted
  }),
  wrongSubscription('channel without its colour', 'EV-SUBADD-7', (one) => {
    delete one.color
  }),
  wrong('setting of a channel by its name', 'subscription', 'EV-OTHER-6', 'subscription', (event) => {
    if (event.op === 'update') event.stream_id = String(event.stream_id)
  }),
  wrong('empty topic shown as it is', 'message-changes', 'EV-OTHER-15', 'message', (event) => {
    event.message.subject = ''
  }),
  wrong('edit without the former content', 'message-changes', 'EV-OTHER-12', 'update_message', (event) => {
    delete event.orig_content
  }),
  wrong('first message that is gone told as the first', 'first-message', 'EV-OTHER-8', 'stream', (event) => {
    if (event.property === 'first_message_id') event.value -= 1
  }),
]
