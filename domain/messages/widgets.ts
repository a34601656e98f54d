import { BadRequestError } from '../errors.ts'

/** The widget: content of its message's first submessage, as JSON. */
export interface WidgetContent {
  readonly widget_type: string
  readonly extra_data: unknown
}

/** Clients number the options and tasks that they add. */
const MAX_NUMBER = 1000

/** Returns the poll or task list of a message that begins with `/poll` or `/todo`; undefined for all others. */
export function widgetOf(content: string): WidgetContent | undefined {
  const command = /^\/(poll|todo)(?=\s|$)/.exec(content)
  if (!command) return undefined
  const [first = '', ...lines] = content.slice(command[0].length).split(/\r?\n/)
  const items = lines.map(withoutBullet).filter((line) => line !== '')
  return command[1] === 'poll'
    ? { widget_type: 'poll', extra_data: { question: first.trim(), options: items } }
    : { widget_type: 'todo', extra_data: { task_list_title: first.trim(), tasks: items.map(taskOf) } }
}

function withoutBullet(line: string): string {
  return line.trim().replace(/^[-*]/, '').trim()
}

function taskOf(line: string): { task: string; desc: string } {
  const colon = line.indexOf(': ')
  if (colon === -1) return { task: line, desc: '' }
  return { task: line.slice(0, colon).trim(), desc: line.slice(colon + 2).trim() }
}

type Check = (value: unknown) => boolean
interface Addition {
  readonly fields: Readonly<Record<string, Check>>
  readonly isForAuthor?: true
}

const isString: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_NUMBER

/** The possible additions to each widget, with exactly these fields. */
const ADDITIONS: Readonly<Record<string, Readonly<Record<string, Addition>>>> = {
  poll: {
    vote: { fields: { key: isString, vote: (value) => value === 1 || value === -1 } },
    question: { fields: { question: isString }, isForAuthor: true },
    new_option: { fields: { option: isString, idx: isNumber } },
  },
  todo: {
    new_task: {
      fields: { key: isNumber, task: isString, desc: isString, completed: (value) => typeof value === 'boolean' },
    },
    strike: { fields: { key: isString } },
    new_task_list_title: { fields: { title: isString }, isForAuthor: true },
  },
}

/**
 * Checks whether `addition` can be added to a widget.
 *
 * @param isAuthor whether the sender of the message adds it
 */
export function checkAddition(widgetType: string, addition: unknown, isAuthor: boolean): void {
  const known = ADDITIONS[widgetType]
  if (!known) throw new BadRequestError(`Nothing can be added to a widget of type '${widgetType}'`)
  if (!isObject(addition)) throw new BadRequestError('content is not an object')
  const { type, ...fields } = addition
  const rule = typeof type === 'string' && Object.hasOwn(known, type) ? known[type] : undefined
  if (!rule) throw new BadRequestError(`content["type"] is none of ${Object.keys(known).join(', ')}`)
  for (const [name, isValid] of Object.entries(rule.fields)) {
    if (!(name in fields)) throw new BadRequestError(`content["${name}"] field is missing`)
    if (!isValid(fields[name])) throw new BadRequestError(`Invalid content["${name}"]`)
  }
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(rule.fields, name))
  if (unknown !== undefined) throw new BadRequestError(`Argument "${unknown}" at content is unexpected`)
  if (rule.isForAuthor && !isAuthor) throw new BadRequestError(`Only the sender of the message can send '${type}'`)
  return
}

/** Checks whether `content` makes a widget of a message that has none yet. */
export function checkWidget(content: unknown): void {
  if (!isObject(content)) throw new BadRequestError('content is not an object')
  const { widget_type: type, extra_data: data } = content
  if (typeof type !== 'string' || !Object.hasOwn(ADDITIONS, type)) {
    throw new BadRequestError(`content["widget_type"] is none of ${Object.keys(ADDITIONS).join(', ')}`)
  }
  if (!isObject(data)) throw new BadRequestError('content["extra_data"] is not an object')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
