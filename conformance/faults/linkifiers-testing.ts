import type { SeededFault } from '../testing.ts'
import { type Json, ofMessage, ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const only = 'get-linkifiers'
const adding = ['POST', '/realm/filters'] as const
const changing = ['PATCH', /^\/realm\/filters\//] as const

const accepted =
  (method: string, path: RegExp) =>
  (answer: Parameters<SeededFault['fault']>[0], request: Parameters<SeededFault['fault']>[1]): void => {
    if (request.method === method && path.test(request.path) && answer.status === 400) succeed(answer, { id: 1 })
  }

const lists: readonly SeededFault[] = [
  misread(only, 'linkifiers to another address', adding, (parameters) => {
    parameters.set('url_template', 'https://example.net/{id}')
  }),
  misread(only, 'linkifiers that keep their address', changing, (parameters) => {
    parameters.delete('url_template')
  }),
  misanswered(
    only,
    'linkifiers that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm_linkifiers')),
  ),
  misanswered(
    only,
    'the last linkifier left out',
    ofEvent('realm_linkifiers', (event) => {
      event.realm_linkifiers = event.realm_linkifiers.slice(0, -1)
    }),
  ),
  misanswered(
    only,
    'linkifiers in their first order',
    ofSuccess('GET', '/realm/linkifiers', (body) => {
      body.linkifiers.sort((one: Json, other: Json) => one.id - other.id)
    }),
  ),
  misanswered(
    only,
    'linkifiers that nobody sees',
    ofSuccess('GET', '/realm/linkifiers', (body) => {
      body.linkifiers = []
    }),
  ),
  misanswered(only, 'any pattern a linkifier', accepted('POST', /^\/realm\/filters$/)),
  misanswered(only, 'linkifiers removed twice', accepted('DELETE', /^\/realm\/filters\/\d+$/)),
  misanswered(only, 'orders of some linkifiers', accepted('PATCH', /^\/realm\/linkifiers$/)),
]
const links: readonly SeededFault[] = [
  misanswered(
    only,
    'messages without links of linkifiers',
    ofMessage((message) => {
      message.content = message.content.replaceAll(/<\/?a[^>]*>/g, '')
    }),
  ),
  misanswered(
    only,
    'linkifiers in code',
    ofMessage((message) => {
      message.content += message.content.replaceAll(/\/12"/g, '/13"')
    }),
  ),
  misanswered(
    only,
    'topics without links of linkifiers',
    ofMessage((message) => {
      message.topic_links = []
    }),
  ),
]

export const faults: readonly SeededFault[] = [...lists, ...links]
