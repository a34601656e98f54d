import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEvent } from './events-testing.ts'
import { changedJson, misanswered, misread } from './misreadings-testing.ts'

const sending = ['POST', '/messages'] as const
const editing = ['PATCH', /^\/messages\/\d+$/] as const
const needsUsers = { needsUsers: true }

/** Ways to keep a text that is not what was sent. */
const forms: readonly (readonly [how: string, change: (text: string) => string])[] = [
  ['in the compatibility form', (text) => text.normalize('NFKC')],
  ['escaped for HTML', (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
  ['without what needs two units of UTF-16', (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')],
  ['without letters from the right', (text) => text.replace(/[\u0590-\u05ff]/g, '')],
]

function kept(name: string, change: (text: string) => string): (parameters: URLSearchParams) => void {
  return (parameters) => {
    const text = parameters.get(name)
    if (text !== null) parameters.set(name, change(text))
  }
}

/** Texts as they were sent, in answers other than what was sent. */
function listedTopics(): Fault {
  return ofSuccess('GET', /^\/users\/me\/\d+\/topics$/, ({ topics }) => {
    for (const one of topics) one.name = one.name.normalize('NFKC')
  })
}

const lowerCase = ofEvent('alert_words', (event) => {
  event.alert_words = event.alert_words.map((word: string) => word.toLowerCase())
})

/** Texts that are kept, or shown, otherwise than they were sent. */
export const faults: readonly SeededFault[] = [
  ...forms.flatMap(([how, change]) => [
    misread('send-message/texts', `topics ${how}`, sending, kept('topic', change)),
    misread('update-message/texts', `contents edited ${how}`, editing, kept('content', change)),
    misread(
      'update-own-status/texts',
      `statuses ${how}`,
      ['POST', '/users/me/status'],
      kept('status_text', change),
      needsUsers,
    ),
  ]),
  misread(
    'send-message/texts',
    'contents composed',
    sending,
    kept('content', (text) => text.normalize()),
  ),
  misread(
    'send-message/texts',
    'emoji taken apart',
    sending,
    kept('content', (text) => text.replaceAll('\u200d', '')),
  ),
  misread(
    'send-message/texts',
    'blanks made one',
    sending,
    kept('content', (text) => text.replace(/[ \t]+/g, ' ')),
  ),
  misread(
    'update-message/texts',
    'contents composed by edits',
    editing,
    kept('content', (text) => text.normalize()),
  ),
  misanswered('send-message/texts', 'topics listed in the compatibility form', listedTopics()),
  misanswered('update-own-status/texts', 'alert words told in lower case', lowerCase, true),
  misread(
    'update-own-status/texts',
    'alert words in the compatibility form',
    ['POST', '/users/me/alert_words'],
    changedJson('alert_words', (words: string[]) => words.map((word) => word.normalize('NFKC'))),
    needsUsers,
  ),
  misread(
    'update-own-status/texts',
    'policies for topics in the compatibility form',
    ['POST', '/user_topics'],
    kept('topic', (text) => text.normalize('NFKC')),
    needsUsers,
  ),
  misread(
    'subscribe/texts',
    'names of channels in the compatibility form',
    ['POST', '/users/me/subscriptions'],
    changedJson('subscriptions', (list: Json[]) => list.map((one) => ({ ...one, name: one.name.normalize('NFKC') }))),
    needsUsers,
  ),
  misread(
    'subscribe/texts',
    'names of people in the compatibility form',
    ['PATCH', /^\/users\/\d+$/],
    kept('full_name', (text) => text.normalize('NFKC')),
    needsUsers,
  ),
]
