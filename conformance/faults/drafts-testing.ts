import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { changedJson } from './misreadings-testing.ts'

const [create, refused, kept, long, unkept] = ['create', 'refused', 'kept', 'long', 'unkept'] as const
type Only = typeof create | typeof refused | typeof kept | typeof long | typeof unkept
const made = /^\/drafts$/

function wrong(only: Only, name: string, violates: string, fault: Fault, more: Partial<SeededFault> = {}): SeededFault {
  return { name: `drafts: ${name}`, only: `drafts/${only}`, violates: [violates], fault, ...more }
}

/** Whatever the server tells of a draft, wherever. */
function told(tell: (draft: Json) => void): Fault {
  const events = ofEvent('drafts', ({ drafts = [], draft }) => [...drafts, ...(draft ? [draft] : [])].forEach(tell))
  return (answer, request) => {
    if (answer.status === 200) answer.body?.drafts?.forEach?.(tell)
    events(answer, request)
  }
}

/** The server takes the drafts that it is sent for others. */
function misreads(only: Only, name: string, violates: string, read: (draft: Json) => void): SeededFault {
  const readAll = changedJson('drafts', (drafts: Json) => {
    if (Array.isArray(drafts)) drafts.forEach(read)
    return drafts
  })
  const readOne = changedJson('draft', (draft: Json) => {
    read(draft)
    return draft
  })
  const nothing: Fault = () => undefined
  return wrong(only, name, violates, nothing, {
    before({ form }) {
      readAll(form)
      readOne(form)
    },
  })
}

/** Drafts that have to be refused are not. */
function takes(name: string, violates: string, isWrong: (draft: Json) => boolean): SeededFault {
  return wrong(refused, `${name} taken`, violates, (answer, { method, path, parameters }) => {
    if (method !== 'POST' || !made.test(path) || answer.status === 200) return
    const text = parameters.get('drafts') ?? ''
    if (text.startsWith('[') && JSON.parse(text).some(isWrong)) succeed(answer, { ids: [1, 2] })
  })
}

function says(only: Only, name: string, violates: string, from: RegExp, to: string): SeededFault {
  return wrong(only, name, violates, ({ status, body }) => {
    if (status !== 200 && from.test(body?.msg)) body.msg = to
  })
}

/** Drafts are listed as `change` leaves them; `see` lets it learn from the other requests. */
function listing(change: (drafts: Json[]) => Json[], see: Fault = () => undefined): Fault {
  const list = ofSuccess('GET', made, (body) => {
    body.drafts = change(body.drafts)
    body.count = body.drafts.length
  })
  return (answer, request) => {
    see(answer, request)
    list(answer, request)
  }
}

const ghost = (id: number): Json => ({ id, type: '', to: [], topic: '', content: 'Gone.', timestamp: 2_000_000_000 })

/** Whoever has no drafts gets those that somebody listed before. */
function shared(): Fault {
  let seen: Json[] = []
  return listing((drafts) => {
    if (drafts.length > 0) seen = drafts
    return seen
  })
}

/** A refused request leaves a draft. */
function halfKept(): Fault {
  let isLeft = false
  return listing(
    (drafts) => (isLeft ? [...drafts, ghost(9_999_999)] : drafts),
    ({ status }, { method, path }) => {
      if (method === 'POST' && made.test(path) && status !== 200) isLeft = true
    },
  )
}

/** Whoever is told of a draft was told of somebody else's before. */
function overheard(): Fault {
  let heard: Json
  return ofEventList((events) => {
    const [first] = events.filter(({ type, op }) => type === 'drafts' && op === 'add')
    const before = heard
    heard ??= first
    const isOther = first !== undefined && before !== undefined && before.drafts[0]?.id !== first.drafts[0]?.id
    return isOther
      ? [{ ...before, id: first.id }, ...events].map((event, index) => ({ ...event, id: first.id + index }))
      : events
  })
}

export const faults: readonly SeededFault[] = [
  wrong(
    create,
    'one id too few',
    'DRAFT-2',
    ofSuccess('POST', '/drafts', ({ ids }) => ids.pop()),
  ),
  wrong(
    create,
    'ids in another order',
    'DRAFT-5',
    ofSuccess('POST', '/drafts', ({ ids }) => ids.reverse()),
  ),
  wrong(
    create,
    'for nobody told as for people',
    'DRAFT-FIELD-2',
    told((draft) => {
      if (draft.type === '') draft.type = 'private'
    }),
  ),
  misreads(create, 'for one person for nobody', 'DRAFT-FIELD-3', (draft) => {
    if (draft.type === 'private' && draft.to.length === 1) draft.to = []
  }),
  misreads(create, 'for one person of two', 'DRAFT-FIELD-6', (draft) => {
    if (draft.type === 'private') draft.to = draft.to.slice(0, 1)
  }),
  wrong(create, 'for nobody refused that names somebody', 'DRAFT-FIELD-7', (answer, { method, path, parameters }) => {
    if (method === 'POST' && made.test(path) && /"type":"","to":\[\d/.test(parameters.get('drafts') ?? ''))
      refuse(answer)
  }),
  misreads(create, 'topics in capitals', 'DRAFT-FIELD-9', (draft) => {
    draft.topic = draft.topic.toUpperCase()
  }),
  wrong(
    create,
    'topics of direct messages',
    'DRAFT-FIELD-10',
    told((draft) => {
      if (draft.type === 'private') draft.topic = 'of no use'
    }),
  ),
  misreads(create, 'times of edits passed over', 'DRAFT-FIELD-14', (draft) => {
    delete draft.timestamp
  }),
  misreads(create, 'the beginning of time where none is sent', 'DRAFT-FIELD-15', (draft) => {
    draft.timestamp ??= 1
  }),
  misreads(create, 'another channel', 'CONTRACT-EFFECT', (draft) => {
    if (draft.type === 'stream') draft.to = [1]
  }),
  wrong(
    create,
    'counted one too many',
    'CONTRACT-EFFECT',
    ofSuccess('GET', '/drafts', (body) => {
      body.count += 1
    }),
  ),
  wrong(
    create,
    'listed as they were sent',
    'CONTRACT-EFFECT',
    ofSuccess('GET', '/drafts', ({ drafts }) => {
      drafts.sort((a: Json, b: Json) => a.id - b.id)
    }),
  ),
  wrong(
    create,
    'registration knows none',
    'DRAFT-5',
    ofSuccess('POST', '/register', (body) => {
      if (body.drafts) body.drafts = []
    }),
  ),
  wrong(refused, 'a text taken', 'DRAFT-1', (answer, { parameters }) => {
    if (parameters.get('drafts') === 'abc') succeed(answer, { ids: [] })
  }),
  takes('without a type', 'DRAFT-FIELD-1', (draft) => draft.type === undefined),
  takes('of another type', 'DRAFT-FIELD-2', (draft) => draft.type === 'x'),
  takes('without recipients', 'DRAFT-FIELD-4', (draft) => draft.to === undefined),
  takes('for a number', 'DRAFT-FIELD-4', (draft) => typeof draft.to === 'number'),
  takes('for no channel', 'DRAFT-3', (draft) => draft.type === 'stream' && draft.to.length === 0),
  takes('for two channels', 'DRAFT-3', (draft) => draft.type === 'stream' && draft.to.length === 2),
  wrong(refused, 'no channel with a code of its own', 'DRAFT-3', ({ body }) => {
    if (/exactly 1 channel/.test(body?.msg)) body.code = 'STREAM_DOES_NOT_EXIST'
  }),
  takes('without a topic', 'DRAFT-FIELD-8', (draft) => draft.topic === undefined),
  takes('with null bytes in topics', 'DRAFT-FIELD-11', (draft) => draft.topic?.includes?.('\0')),
  takes('without content', 'DRAFT-FIELD-12', (draft) => draft.content === undefined),
  takes('with null bytes', 'DRAFT-FIELD-13', (draft) => draft.content?.includes?.('\0')),
  wrong(refused, 'taken in place of a right one', 'DRAFT-FIELD-2', (answer, { method, parameters }) => {
    if (method === 'PATCH' && /"type":"x"/.test(parameters.get('draft') ?? '')) succeed(answer)
  }),
  wrong(
    long,
    'what just fits is cut',
    'DRAFT-9',
    told((draft) => {
      if (draft.topic.length === 60 && !draft.topic.endsWith('...')) draft.topic = `${draft.topic.slice(0, 57)}...`
    }),
  ),
  says(refused, 'channels in other words', 'DRAFT-7', /exactly 1 channel/, 'One channel, please'),
  says(refused, 'times in other words', 'DRAFT-7', /Timestamp must/, 'No such time'),
  says(refused, 'blank content by another name', 'DRAFT-7', /cannot be blank/, 'content cannot be blank'),
  says(refused, 'unknown keys in other words', 'DRAFT-8', /is unexpected/, 'Unknown key'),
  takes('for channels that are not there', 'CONTRACT-EFFECT', (draft) => draft.type === 'stream' && draft.to[0] > 2e9),
  takes('for people who are not there', 'CONTRACT-EFFECT', (draft) => draft.type === 'private' && draft.to[0] > 2e9),
  wrong(kept, 'of a replacement the content alone', 'STATE-OTHER-2', () => undefined, {
    before({ method, form }) {
      const first = { type: '', to: [], topic: '' }
      if (method === 'PATCH') changedJson('draft', (draft: Json) => ({ ...draft, ...first }))(form)
    },
  }),
  wrong(create, 'listed for others', 'CONTRACT-EFFECT', shared()),
  wrong(create, 'told to others', 'CONTRACT-EFFECT', overheard()),
  wrong(refused, 'what is beside a refused one is kept', 'CONTRACT-EFFECT', halfKept()),
  misreads(kept, 'replaced without the time', 'STATE-OTHER-2', (draft) => {
    delete draft.timestamp
  }),
  wrong(
    long,
    'content without a sign',
    'DRAFT-9',
    told((draft) => {
      if (draft.content.length === 10_000) draft.content = 'x'.repeat(10_000)
    }),
  ),
  wrong(
    long,
    'shorter topics',
    'DRAFT-9',
    told((draft) => {
      if (draft.topic.length === 60) draft.topic = draft.topic.slice(0, 50)
    }),
  ),
  wrong(
    long,
    'the empty topic by its name',
    'EMPTY-7',
    told((draft) => {
      if (draft.type === 'stream' && draft.topic === '') draft.topic = 'general chat'
    }),
  ),
  says(unkept, 'not kept for another reason', 'DRAFT-6', /synchronizing drafts/, 'No'),
  wrong(
    unkept,
    'back with the setting',
    'CONTRACT-EFFECT',
    ofSuccess('GET', '/drafts', ({ drafts }) => {
      if (drafts.length === 0) drafts.push({ id: 1, type: '', to: [], topic: '', content: 'Back.', timestamp: 1 })
    }),
  ),
].map((fault) => (fault.only === `drafts/${unkept}` ? { ...fault, needsUsers: true } : fault))
