import type { Fault, SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const only = 'report-message'
const reporting = ['POST', /^\/messages\/\d+\/report$/] as const
const isReport = /reported what/
const users = { needsUsers: true }

/** Reports are taken that are refused. */
const takesReports: Fault = (answer, { method, path }) => {
  if (method === 'POST' && reporting[1].test(path) && answer.status === 400) succeed(answer)
}

export const faults: readonly SeededFault[] = [
  misread(
    only,
    'reports without what there is to say',
    reporting,
    (parameters) => {
      if (parameters.get('report_type') !== 'other') parameters.delete('description')
    },
    users,
  ),
  misanswered(only, 'any report', takesReports, true),
  misanswered(
    only,
    'reports that nobody reads',
    ofEventList((events) => events.filter(({ message }) => !isReport.test(message?.content))),
    true,
  ),
  misanswered(
    only,
    'reports without the message',
    ofEvent('message', ({ message }) => {
      if (isReport.test(message.content)) message.content = message.content.replaceAll('Reported', '')
    }),
    true,
  ),
  misanswered(
    only,
    'reports in the name of a person',
    ofEvent('message', ({ message }) => {
      if (isReport.test(message.content)) message.sender_email = 'somebody@parley.example'
    }),
    true,
  ),
  misanswered(only, 'reports that everybody reads', toldToAll(), true),
]

/** Whoever hears of a message next hears of the last report first. */
function toldToAll(): Fault {
  let report: object | undefined
  return ofEventList((events) => {
    const [last] = events.filter(({ message }) => isReport.test(message?.content)).slice(-1)
    if (last !== undefined) report = last
    const isTold = last !== undefined || report === undefined || !events.some(({ type }) => type === 'message')
    return isTold ? events : [{ ...report, id: events[0].id }, ...events]
  })
}
