import type { SeededFault } from '../testing.ts'
import type { Json } from './changes-testing.ts'

/** A server that is right as long as requests come one after the other. `change` is what it shows after two have met. */
function raced(
  only: string,
  name: string,
  [method, path]: readonly [string, RegExp],
  shown: RegExp,
  change: (body: Json) => void,
): SeededFault {
  let underWay = 0
  let haveMet = false
  return {
    name: `${name} (race)`,
    only: `races/${only}`,
    violates: ['CONTRACT-ORDER'],
    needsUsers: true,
    before({ method: asked, url }) {
      if (asked !== method || !path.test(url.pathname)) return
      underWay += 1
      haveMet ||= underWay > 1
    },
    fault({ status, body }, { method: asked, path: here }) {
      if (asked === method && path.test(here)) underWay -= 1
      if (haveMet && asked === 'GET' && shown.test(here) && status === 200) change(body)
    },
  }
}

export const faults: readonly SeededFault[] = [
  raced('reaction-twice', 'a reaction stored twice', ['POST', /\/reactions$/], /^\/messages\/\d+$/, ({ message }) => {
    message.reactions.push(...message.reactions)
  }),
  raced('channel-twice', 'two channels of one name', ['POST', /\/subscriptions$/], /^\/streams$/, ({ streams }) => {
    streams.push(...streams.map((one: Json) => ({ ...one, stream_id: one.stream_id + 1000 })))
  }),
  raced('edits', 'an edit lost to another', ['PATCH', /\/messages\/\d+$/], /\/history$/, (body) => {
    body.message_history.splice(1, 1)
  }),
  raced('sends', 'a message lost to another', ['POST', /\/messages$/], /^\/messages$/, ({ messages }) => {
    messages.pop()
  }),
  raced('own-lists', 'an addition lost to another', ['POST', /\/alert_words$/], /\/alert_words$/, (body) => {
    body.alert_words.shift()
  }),
]
