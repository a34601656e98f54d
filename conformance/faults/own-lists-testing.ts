import { checksOf } from '../checks/own-lists.ts'
import { ownLists } from '../own-lists/all.ts'
import { type OwnList, ruleOf, wordsOf } from '../own-lists/own-list.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'

export const faults: readonly SeededFault[] = ownLists.flatMap(faultsOf)

function faultsOf(noun: OwnList): SeededFault[] {
  const { list, item, mark, given, times } = noun
  const [all, one] = [`/${list}`, new RegExp(`^/${list}/\\d+$`)]
  const isOfOne = ({ path }: { readonly path: string }) => one.test(path)
  const wrong = (only: string, name: string, violates: string, fault: Fault): SeededFault => ({
    ...{ name: `${wordsOf(list)}: ${name}`, only: `${checksOf(noun)}/${only}`, violates: [violates], fault },
  })
  const kept = (name: string, violates: string, fault: Fault) => wrong('kept', name, violates, fault)
  const listed = (change: (rows: Json[]) => void): Fault => ofSuccess('GET', all, (body) => change(body[list]))
  const each = (change: (row: Json) => void): Fault => listed((rows) => rows.forEach(change))
  const never = (op: string): Fault =>
    ofEventList((events) => events.filter((event) => event.type !== list || event.op !== op))
  const ghost = (id: number): Json => ({ ...given, id, ...Object.fromEntries(times.map((time) => [time, 1])) })

  /** What is deleted stays in lists. */
  function undead(): Fault {
    const dead: Json[] = []
    const die = ofSuccess('DELETE', one, (_, { path }) => dead.push(ghost(Number(path.split('/').at(-1)))))
    const show = listed((rows) => rows.push(...dead))
    return (answer, request) => {
      die(answer, request)
      show(answer, request)
    }
  }

  /** A change changes the others, too. */
  function spreading(): Fault {
    let changed: number | undefined
    const show = each((row) => {
      if (changed !== undefined && row.id !== changed) row[mark] = 'changed'
    })
    return (answer, request) => {
      if (request.method === 'PATCH' && isOfOne(request)) changed = Number(request.path.split('/').at(-1))
      show(answer, request)
    }
  }

  /** What is deleted takes the next one with it. */
  function greedy(): Fault {
    let gone = 0
    const show = listed((rows) => rows.splice(0, rows.length, ...rows.filter(({ id }) => id !== gone + 1)))
    const remove = ofSuccess('DELETE', one, (_, { path }) => {
      gone = Number(path.split('/').at(-1))
    })
    return (answer, request) => {
      remove(answer, request)
      show(answer, request)
    }
  }

  /** What is refused is done all the same. */
  function done(method: string): Fault {
    const ids = new Set<number>()
    const show = listed((rows) => {
      if (method === 'DELETE') rows.splice(0, rows.length, ...rows.filter(({ id }) => !ids.has(id)))
      else for (const row of rows) if (ids.has(row.id)) row[mark] = 'changed'
    })
    return (answer, request) => {
      const isRefused = request.method === method && isOfOne(request) && answer.status === 404
      if (isRefused) ids.add(Number(request.path.split('/').at(-1)))
      show(answer, request)
    }
  }

  /** What was deleted can be changed, or deleted again. */
  function again(method: string): Fault {
    const gone = new Set<string>()
    return (answer, request) => {
      if (gone.has(request.path) && request.method === method) succeed(answer)
      if (request.method === 'DELETE' && isOfOne(request) && answer.status === 200) gone.add(request.path)
    }
  }

  /** Whoever has none gets those that somebody listed before. */
  function shared(): Fault {
    let seen: Json[] = []
    return listed((rows) => {
      if (rows.length === 0) rows.push(...seen)
      seen = [...rows]
    })
  }

  /** Whoever is told of one was told of somebody else's. */
  function overheard(): Fault {
    let first: Json
    return ofEvent(list, (event) => {
      if (event.op !== 'add') return
      first ??= event
      Object.assign(event, { ...first, id: event.id })
    })
  }

  /** A refusal leaves one. */
  function halfKept(): Fault {
    let isLeft = false
    const show = listed((rows) => isLeft && rows.push(ghost(2_000_000_000)))
    return (answer, request) => {
      isLeft ||= request.method === 'POST' && request.path === all && answer.status !== 200
      show(answer, request)
    }
  }

  /** What is told of a removal is told of a change before. */
  function echoing(): Fault {
    return ofEventList((events) =>
      events.flatMap((event) =>
        event.type === list && event.op === 'remove' ? [{ ...event, op: 'update', [item]: ghost(1) }, event] : [event],
      ),
    )
  }

  /** The server takes the form of a change for another. */
  const misread = (name: string, violates: string, read: (form: URLSearchParams) => void): SeededFault => ({
    ...kept(name, violates, () => undefined),
    before({ method, form }) {
      if (method === 'PATCH') read(form)
    },
  })

  const ofChanges = noun.changes.flatMap(([requirement, fields]) => {
    if (noun.replaces || typeof fields === 'function') return []
    const [untouched] = Object.keys(given).filter((name) => !(name in fields))
    if (untouched === undefined) return []
    return misread(`${Object.keys(fields)} takes ${untouched}`, requirement, (form) => {
      if (form.has(Object.keys(fields)[0] ?? '') && !form.has(untouched)) form.set(untouched, 'Gone.')
    })
  })
  const ofNoChange = noun.replaces
    ? []
    : [
        kept('no change told', 'CONTRACT-EFFECT', echoing()),
        misread('no change is one', ruleOf(noun, 'unchanged'), (form) => {
          if (form.size === 0) form.set(mark, 'Gone.')
        }),
        kept('no change refused', ruleOf(noun, 'unchanged'), (answer, request) => {
          if (request.method === 'PATCH' && isOfOne(request) && request.parameters.size === 0) refuse(answer)
        }),
      ]
  /** What should be refused with this status is not. */
  const takes = (only: string, name: string, violates: string, method: string, status: number) =>
    wrong(only, name, violates, (answer, request) => {
      const isMeant = request.method === method && (method === 'POST' ? request.path === all : isOfOne(request))
      if (isMeant && answer.status === status) succeed(answer)
    })
  const inOtherWords = [...new Map(noun.refused?.map((row) => [row[2], row])).values()].map(([, , msg]) =>
    wrong('refused', `"${msg}" in other words`, 'CONTRACT-EFFECT', ({ body }) => {
      if (body?.msg === msg) body.msg = 'No.'
    }),
  )
  const ofRefusals = [...new Set(noun.refused?.map(([requirement]) => requirement))].flatMap((requirement) => [
    takes('refused', 'wrong ones taken', requirement, 'POST', 400),
    takes('refused', 'wrong changes taken', requirement, 'PATCH', 400),
  ])

  return [
    kept(
      'ids as text',
      ruleOf(noun, 'anId'),
      ofSuccess('POST', all, (body) => {
        if (body.ids) body.ids = body.ids.map(String)
        else body[`${item}_id`] = `${body[`${item}_id`]}`
      }),
    ),
    ...times.flatMap((time) => [
      kept(
        `${time} not told`,
        ruleOf(noun, 'shape'),
        each((row) => void delete row[time]),
      ),
      kept(
        `${time} long ago`,
        ruleOf(noun, 'shape'),
        each((row) => {
          row[time] = 1
        }),
      ),
    ]),
    kept(
      `another ${mark}`,
      ruleOf(noun, 'shown'),
      each((row) => {
        row[mark] = 'Another.'
      }),
    ),
    kept(
      'registration knows none',
      ruleOf(noun, 'shown'),
      ofSuccess('POST', '/register', (body) => {
        body[list] &&= []
      }),
    ),
    kept('new ones in silence', ruleOf(noun, 'added'), never('add')),
    kept('changed in silence', ruleOf(noun, 'updated'), never('update')),
    kept('deleted in silence', ruleOf(noun, 'left'), never('remove')),
    kept(
      'the next one told as deleted',
      ruleOf(noun, 'removed'),
      ofEvent(list, (event) => {
        if (event.op === 'remove') event[`${item}_id`] += 1
      }),
    ),
    kept('changes refused', ruleOf(noun, 'changes'), (answer, request) => {
      if (request.method === 'PATCH' && isOfOne(request)) refuse(answer)
    }),
    kept(
      'a change answers more',
      ruleOf(noun, 'bare'),
      ofSuccess('PATCH', one, (body) => {
        body.id = 1
      }),
    ),
    ...ofChanges,
    ...ofNoChange,
    kept('a change of all that there are', 'CONTRACT-EFFECT', spreading()),
    kept('one deleted takes the next one', 'CONTRACT-EFFECT', greedy()),
    kept('changed after it was deleted', ruleOf(noun, 'unknown'), again('PATCH')),
    kept('deleted after it was deleted', ruleOf(noun, 'unknown'), again('DELETE')),
    kept(
      'listed in another order',
      'CONTRACT-EFFECT',
      listed((rows) => rows.reverse()),
    ),
    wrong('not-theirs', 'those of others changed and it is denied', 'CONTRACT-EFFECT', done('PATCH')),
    wrong('not-theirs', 'those of others deleted and it is denied', 'CONTRACT-EFFECT', done('DELETE')),
    kept('deleted and still listed', ruleOf(noun, 'left'), undead()),
    takes('not-theirs', 'those of others changed', ruleOf(noun, 'unknown'), 'PATCH', 404),
    takes('not-theirs', 'those of others deleted', ruleOf(noun, 'unknown'), 'DELETE', 404),
    ...(noun.rules.gone?.code === undefined
      ? []
      : [
          wrong('not-theirs', 'unknown ones with another code', noun.rules.gone?.code, (answer) => {
            if (answer.status === 404) answer.body.code = 'REQUEST_VARIABLE_INVALID'
          }),
        ]),
    wrong('not-theirs', 'unknown ones with 400', 'ERR-HTTP-1', (answer) => {
      if (answer.status === 404) answer.status = 400
    }),
    wrong('not-theirs', 'listed for others', 'CONTRACT-EFFECT', shared()),
    wrong('not-theirs', 'told to others', 'CONTRACT-EFFECT', overheard()),
    ...(noun.refused ? [wrong('refused', 'what was refused is kept', 'CONTRACT-EFFECT', halfKept())] : []),
    ...ofRefusals,
    ...inOtherWords,
  ]
}
