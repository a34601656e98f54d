import fc from 'fast-check'
import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, effectRule, type Shows } from '../../kernel/effect.ts'
import { post } from '../../kernel/messaging.ts'
import type { Term } from '../../model/narrow.ts'
import { beyondAll, type Range, type RangeRequest, rangeOf } from '../../model/range.ts'
import type { Has, ModelFlag, ModelMessage, World } from '../../model/world.ts'
import type { Exchange } from '../../wire/http.ts'
import { isObject, type Json } from '../../wire/values.ts'
import { listWith, markedWorld } from './messages.ts'
import { type Places, placesOf } from './places.ts'
import {
  type AnyRange,
  anyClosedQuestion,
  anyQuestion,
  anyRange,
  type ClosedQuestion,
  closedBy,
  everyRange,
  everyTerm,
  matchingOf,
  type Question,
  requestOf,
} from './questions.ts'

export const checks: readonly Check[] = [
  {
    ...effectNamed('modelled/lists', 'a list has the messages of its narrow and range', lists, effectRule),
    requirements: ['CONTRACT-EFFECT', 'REF-6'],
  },
  effectNamed('modelled/matches', 'the matching messages are those of the narrow', matches, effectRule),
  {
    ...effectNamed('modelled/flags', 'a flag is set on the messages of a narrow and range', flags, effectRule),
    requirements: ['CONTRACT-EFFECT', 'REF-4'],
    also: ['update-message-flags-for-narrow'],
  },
]

const listFields = ['messages', 'anchor', 'found_anchor', 'found_newest', 'found_oldest', 'history_limited']
const flagFields = [
  ...['processed_count', 'updated_count', 'first_processed_id', 'last_processed_id', 'found_oldest', 'found_newest'],
]

function hasFields(t: CheckContext, rule: string, exchange: Exchange, names: readonly string[]): void {
  const isWhole = names.every((name) => name in exchange.body)
  t.that(rule, exchange, isWhole, `the fields ${names.join(', ')}`)
}

async function lists(t: CheckContext, shows: Shows): Promise<void> {
  const places = await placesOf(t)
  const { reader } = places
  const aside = await t.channel(places.author)
  const before = await sentAside(places, aside)
  const marked = await markedWorld(t, places)
  const messages = [...before, ...marked.messages, ...(await sentAside(places, aside))]
  const world = { ...marked, channels: [...marked.channels, { ...aside, isPublic: true }], messages }
  const all = idsOf(messages)
  await everything(shows, reader, idsOf(marked.messages))
  const ask = async (question: ClosedQuestion, range: AnyRange): Promise<void> => {
    const matching = matchingOf(world, question)
    if (matching.some((one) => one.isHistorical) && question.terms.some(isOfReceived)) return
    const request = requestOf(world, range, matching, question.isClosed)
    const exchange = await reader.must('get-messages', { ...valuesOf(request), narrow: question.narrow })
    hasFields(t, 'REF-6', exchange, listFields)
    const wanted = rangeOf(listed(matching), request, question.isClosed)
    const found = exchange.body.messages.map(({ id }: Json) => id)
    // Only lists of whole channels and conversations contain messages older than the model.
    const own = question.isClosed ? found : found.filter((id: number) => id >= (all[0] ?? 0))
    shows(exchange, own.join() === wanted.ids.join(), `\`messages\` are ${wanted.ids.join() || 'none'}, in this order`)
    showsEnds(shows, exchange, wanted)
    showsAnchor(t, shows, exchange, wanted, all)
    const isLimited = exchange.body.history_limited
    if (question.isClosed) shows(exchange, isLimited === false, '`history_limited` is false: all messages are new')
  }
  const whole = { place: 'newest', before: 100, after: 0, includeAnchor: true } as const
  // With rate limits the check asks only generated questions.
  if (!t.deployment.isLimited) {
    for (const term of everyTerm(t, world, places)) await ask(closedBy(places, [term]), whole)
    for (const range of everyRange(all.length)) await ask(closedBy(places, []), range)
    for (const operand of [aside.id, aside.name]) await ask(closedBy(places, [{ operator: 'channel', operand }]), whole)
  }
  const anyList = fc.record({ question: anyClosedQuestion(t, world, places), range: anyRange(all.length) })
  await t.property(anyList, ({ question, range }) => ask(question, range))
  if (t.level < 300) return
  const anyIds = fc.record({
    question: anyQuestion(t, world, places),
    chosen: fc.shuffledSubarray(idsOf(marked.messages)),
  })
  await t.property(anyIds, async ({ question, chosen }) => {
    const exchange = await reader.must('get-messages', { message_ids: chosen, narrow: question.narrow })
    const { messages, anchor, found_anchor: isFound } = exchange.body
    shows(exchange, anchor === undefined && isFound === false, 'no `anchor`, and `found_anchor` is false')
    const found = messages.map(({ id }: Json) => id)
    const wanted = idsOf(matchingOf(world, question)).filter((id) => chosen.includes(id))
    shows(exchange, found.join() === wanted.join(), `\`messages\` are ${wanted.join() || 'none'}, in this order`)
  })
}

/** Messages in a public channel that the reader does not follow. */
async function sentAside({ author, topics, mark }: Places, aside: Channel): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = []
  for (const name of [topics.main, topics.resolved]) {
    const content = `${mark} Pears without the reader.`
    const id = await post(author, aside, name, content)
    const place = { channelId: aside.id, name }
    const seen = { has: new Set<Has>(), flags: new Set<ModelFlag>(['read']), mentions: [] }
    messages.push({ id, senderId: author.userId, place, content, ...seen, isHistorical: true })
  }
  return messages
}

/** Whether servers may limit the narrow to received messages because of this term, although it names a channel. */
function isOfReceived({ operator, operand, negated }: Term): boolean {
  return operator === 'is' && operand !== 'resolved' && negated === true
}

/** Without a narrow all received messages come, of which the model knows some. */
async function everything(shows: Shows, reader: Account, all: readonly number[]): Promise<void> {
  const exchange = await reader.must('get-messages', { anchor: all[0], num_before: 0, num_after: 200 })
  const ids: number[] = exchange.body.messages.map(({ id }: Json) => id)
  const last = exchange.body.found_newest ? Infinity : (ids.at(-1) ?? 0)
  const wanted = all.filter((id) => id <= last)
  const found = ids.filter((id) => all.includes(id))
  shows(exchange, found.join() === wanted.join(), `\`messages\` have ${wanted.join()}, in this order`)
}

async function matches(t: CheckContext, shows: Shows): Promise<void> {
  const places = await placesOf(t)
  const world = await markedWorld(t, places)
  const all = idsOf(world.messages)
  const ask = async (question: Question, asked: readonly number[]): Promise<void> => {
    const values = { msg_ids: asked, narrow: question.narrow }
    const exchange = await places.reader.must('check-messages-match-narrow', values)
    const { messages } = exchange.body
    const wanted = idsOf(matchingOf(world, question)).filter((id) => asked.includes(id))
    const isRight = isObject(messages) && Object.keys(messages).join() === wanted.join()
    shows(exchange, isRight, `records of ${wanted.join() || 'none of them'}, and of no others`)
  }
  if (!t.deployment.isLimited) {
    for (const term of everyTerm(t, world, places)) await ask({ terms: [term], narrow: [term] }, all)
  }
  const anyMatch = fc.record({
    question: anyQuestion(t, world, places),
    asked: fc.shuffledSubarray(all, { minLength: 1 }),
  })
  await t.property(anyMatch, ({ question, asked }) => ask(question, asked))
}

async function flags(t: CheckContext, shows: Shows): Promise<void> {
  const places = await placesOf(t)
  const world = await markedWorld(t, places)
  const { reader, mark } = places
  const anyChange = fc.record({
    question: anyClosedQuestion(t, world, places).filter(({ isClosed }) => isClosed),
    range: anyRange(world.messages.length),
    op: fc.constantFrom('add' as const, 'remove' as const),
    flag: fc.constantFrom('starred' as const, 'read' as const),
  })
  await t.property(anyChange, async ({ question, range, op, flag }) => {
    const matching = matchingOf(world, question)
    const request = requestOf(world, range, matching, true)
    const wanted = rangeOf(listed(matching), request)
    const values = { ...valuesOf(request), narrow: question.narrow, op, flag }
    const exchange = await reader.must('update-message-flags-for-narrow', values)
    hasFields(t, 'REF-4', exchange, flagFields)
    const changed = matching.filter(({ id, flags: own }) => wanted.ids.includes(id) && own.has(flag) !== (op === 'add'))
    for (const { flags: own } of changed) own[op === 'add' ? 'add' : 'delete'](flag)
    const told = {
      processed_count: wanted.ids.length,
      updated_count: changed.length,
      first_processed_id: wanted.ids[0] ?? null,
      last_processed_id: wanted.ids.at(-1) ?? null,
    }
    const isTold = Object.entries(told).every(([name, value]) => exchange.body[name] === value)
    shows(exchange, isTold, JSON.stringify(told))
    showsEnds(shows, exchange, wanted)
    const after = await listWith(reader, [{ operator: 'search', operand: mark }])
    const found = after.body.messages.filter((one: Json) => one.flags.includes(flag)).map(({ id }: Json) => id)
    const marked = idsOf(world.messages.filter((one) => one.flags.has(flag)))
    const isRight = found.join() === marked.join()
    const says = `the flag \`${flag}\` at ${marked.join() || 'none'}, because ${JSON.stringify(values)} was sent`
    shows(after, isRight, says)
    if (!isRight) take(world, after, flag)
  })
}

/** Adopts the server's flags, so that later answers do not report the same fault again. */
function take(world: World, { body }: Exchange, flag: 'starred' | 'read'): void {
  for (const { id, flags: own } of world.messages) {
    const one = body.messages.find((listed: Json) => listed.id === id)
    own[one?.flags.includes(flag) ? 'add' : 'delete'](flag)
  }
}

function idsOf(messages: readonly ModelMessage[]): number[] {
  return messages.map(({ id }) => id)
}

function listed(messages: readonly ModelMessage[]): { id: number; isUnread: boolean }[] {
  return messages.map(({ id, flags: own }) => ({ id, isUnread: !own.has('read') }))
}

function valuesOf({ anchor, before, after, includeAnchor }: RangeRequest): Values {
  return { anchor, num_before: before, num_after: after, ...(!includeAnchor && { include_anchor: false }) }
}

function showsEnds(shows: Shows, exchange: Exchange, { foundOldest, foundNewest }: Range): void {
  for (const [name, wanted] of Object.entries({ found_oldest: foundOldest, found_newest: foundNewest })) {
    const told: unknown = exchange.body[name]
    const isRight = wanted === undefined ? typeof told === 'boolean' : told === wanted
    shows(exchange, isRight, `\`${name}\` is ${wanted ?? 'a boolean'}`)
  }
}

/** Only Parley documents which ids stand for the ends; other servers choose their own. */
function showsAnchor(
  { isParley }: CheckContext,
  shows: Shows,
  exchange: Exchange,
  { anchor, foundAnchor }: Range,
  all: readonly number[],
): void {
  const told: unknown = exchange.body.anchor
  const isEnd = anchor === beyondAll ? Number(told) >= (all.at(-1) ?? 0) : anchor === 0 && Number(told) < (all[0] ?? 0)
  shows(exchange, told === anchor || (!isParley && isEnd), `\`anchor\` is ${anchor}`)
  shows(exchange, exchange.body.found_anchor === foundAnchor, `\`found_anchor\` is ${foundAnchor}`)
}
