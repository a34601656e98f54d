import type { PassingOn, SeededFault } from '../testing.ts'
import { ofSuccess } from './changes-testing.ts'

/** Of a server whose clock the suite moves. */
const settings = { PARLEY_TESTING: 'on' }

/** One that understands requests to a path, below `/api/v1`, wrongly. */
function misread(
  name: string,
  only: string,
  violates: readonly string[],
  path: RegExp,
  change: (form: URLSearchParams) => void,
): SeededFault {
  return {
    ...{ name, only, violates, settings, needsUsers: true, fault: () => {} },
    before({ url, form }: PassingOn) {
      if (path.test(url.pathname)) change(form)
    },
  }
}

const presence = /\/users\/me\/presence$/

export const faults: readonly SeededFault[] = [
  {
    ...{ name: 'abandoned queues that are empty', only: 'events/abandoned', violates: ['EVENTS-13'], settings },
    fault(answer) {
      if (answer.body?.code !== 'BAD_EVENT_QUEUE_ID') return
      answer.status = 200
      answer.body = { result: 'success', msg: '', events: [], queue_id: answer.body.queue_id }
    },
  },
  misread('presence as of 14 days whatever is asked', 'presence/aged', ['PRESENCE-10'], presence, (form) => {
    form.delete('history_limit_days')
  }),
  misread('presence as of 30 days where nothing is asked', 'presence/aged', ['PRESENCE-11'], presence, (form) => {
    if (!form.has('history_limit_days')) form.set('history_limit_days', '30')
  }),
  misread('presence limited for updates, too', 'presence/aged', ['PRESENCE-12'], presence, (form) => {
    if (form.get('last_update_id') === '1') form.set('last_update_id', '-1')
  }),
  misread(
    'messages that are kept without end',
    'effects/update-stream/retention',
    ['CONTRACT-EFFECT'],
    /\/streams\/\d+$/,
    (form) => {
      if (form.has('message_retention_days')) form.set('message_retention_days', '"unlimited"')
    },
  ),
  misread(
    'messages that are kept for a shorter time',
    'effects/update-stream/retention',
    ['CONTRACT-EFFECT'],
    /\/streams\/\d+$/,
    (form) => {
      if (form.has('message_retention_days')) form.set('message_retention_days', '1')
    },
  ),
  {
    ...{ name: 'deletions that are whole whatever is left', only: 'topic-deletion/time', settings },
    violates: ['DEL-TOPIC-5'],
    fault: ofSuccess('POST', /\/delete_topic$/, (body) => {
      body.complete = true
    }),
  },
  {
    ...{ name: 'deletions that never end, by the clock', only: 'topic-deletion/time', settings },
    violates: ['DEL-TOPIC-6'],
    fault: ofSuccess('POST', /\/delete_topic$/, (body) => {
      body.complete = false
    }),
  },
  {
    ...{ name: 'waiting in vain answered with nothing, by the clock', only: 'events/heartbeat', settings },
    violates: ['EVENTS-10'],
    fault: ofSuccess('GET', '/events', (body) => {
      body.events = []
    }),
  },
  {
    ...{ name: 'clients told to give up early, by the clock', only: 'events/heartbeat', settings },
    violates: ['EVENTS-11'],
    fault({ body }, { path }) {
      if (path === '/register') body.event_queue_longpoll_timeout_seconds = 1
    },
  },
  misread('reminders without a note, by the clock', 'reminders/come', ['REMIND-3'], /\/reminders$/, (form) => {
    form.set('note', 'Another one.')
  }),
]
