import { decodedInput } from './decode.ts'
import type { Document, LocatedOperation, Schema } from './document.ts'
import { formOf, operationsOf } from './document.ts'
import { errorCodesOf } from './errors.ts'
import { permissionProblems, ROLES } from './permissions.ts'
import { mapSchema, resolved } from './schema.ts'
import type { Source } from './source.ts'

const CALLERS = ['anonymous', ...ROLES]
type Schemas = Document['components']['schemas']
type Marked = Pick<Schema, 'x-feature-level' | 'x-feature-levels'>

const SUCCESS = '#/components/schemas/Success'

/**
 * One sentence for each violation of our own rules: callers, errors, descriptions and examples everywhere, one flat
 * input.
 */
export function lintProblems({ document, errors, settings }: Source): string[] {
  const used = new Set<string>(operationsOf(document).flatMap(({ operation }) => errorCodesOf(operation)))
  return [
    ...operationsOf(document).flatMap((located) => operationProblems(located, document)),
    ...[...used].filter((code) => errors[code] === undefined).map((code) => `errors.yaml lacks ${code}`),
    ...Object.keys(errors)
      .filter((code) => !used.has(code))
      .map((code) => `errors.yaml: no operation answers ${code}`),
    ...Object.entries(errors).flatMap(([code, entry]) =>
      entry.example === undefined ? [`errors.yaml: ${code} has no example`] : [],
    ),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => schemaProblems(name, schema, document)),
    ...eventProblems(document),
    ...permissionProblems({ document, settings }),
  ]
}

function operationProblems({ operation }: LocatedOperation, document: Document): string[] {
  const id = operation.operationId
  const problems: string[] = []
  const role = operation['x-minimum-role']
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) problems.push('its operationId is not in kebab-case')
  if (operation['x-error-codes'] === undefined) problems.push('has no x-error-codes')
  if (role === undefined) problems.push('has no x-minimum-role')
  else if (!CALLERS.includes(role)) problems.push(`x-minimum-role ${role} is none of ${CALLERS.join(', ')}`)
  for (const { until, role: former } of operation['x-former-roles'] ?? []) {
    if (!CALLERS.includes(former)) problems.push(`x-former-roles: ${former} is none of ${CALLERS.join(', ')}`)
    if (!Number.isInteger(until)) problems.push('x-former-roles: until is no feature level')
  }
  if (role !== undefined && (role === 'anonymous') !== (operation.security?.length === 0)) {
    problems.push('x-minimum-role anonymous and security [] belong together')
  }
  problems.push(...parameterProblems(operation, document), ...answerProblems(operation))
  return [...problems.map((problem) => `${id}: ${problem}`), ...inputProblems(operation, document)]
}

function inputProblems(operation: LocatedOperation['operation'], document: Document): string[] {
  try {
    decodedInput(operation, document)
    return []
  } catch (err) {
    return [(err as Error).message]
  }
}

function parameterProblems(operation: LocatedOperation['operation'], { components, info }: Document): string[] {
  const described = (name: string, description: unknown, example: unknown): string[] => [
    ...(description === undefined ? [`${name} has no description`] : []),
    ...(example === undefined ? [`${name} has no example`] : []),
  ]
  const newest = Number(info.version)
  const ofParameters = (operation.parameters ?? []).flatMap((parameter) => {
    const schema = resolved(parameter.schema, components.schemas)
    const levels = [
      ...levelProblems(parameter.name, parameter, newest),
      ...levelProblems(parameter.name, parameter.schema, newest),
    ]
    return levels.concat(
      described(parameter.name, parameter.description ?? schema.description, parameter.example ?? schema.examples?.[0]),
    )
  })
  const ofForm = Object.entries(formOf(operation)?.properties ?? {}).flatMap(([name, property]) => {
    const schema = resolved(property, components.schemas)
    return [...levelProblems(name, property, newest), ...described(name, schema.description, schema.examples?.[0])]
  })
  return [...ofParameters, ...ofForm, ...refusedProblems(operation, components.schemas)]
}

/** An alias is refused together with its parameter, and a parameter that is always refused must be optional. */
function refusedProblems(operation: LocatedOperation['operation'], schemas: Schemas): string[] {
  const form = formOf(operation)
  const all = new Map([
    ...(operation.parameters ?? []).map((one) => [one.name, resolved(one.schema, schemas)] as const),
    ...Object.entries(form?.properties ?? {}).map(([name, one]) => [name, resolved(one, schemas)] as const),
  ])
  return [...all].flatMap(([name, { 'x-refused': refused, 'x-alias-of': aliasOf, default: preset }]) => {
    const problems: string[] = []
    if (refused !== undefined && refused !== true && refused !== 'by-handler')
      problems.push(`${name}: x-refused is true or by-handler`)
    if (refused === true && (form?.required?.includes(name) || (preset ?? false) !== false))
      problems.push(`${name} is refused always, and yet required or sent by default`)
    if (aliasOf !== undefined && all.get(aliasOf)?.['x-refused'] !== refused)
      problems.push(`${name} is refused or not like ${aliasOf}, whose alias it is`)
    return problems
  })
}

function answerProblems(operation: LocatedOperation['operation']): string[] {
  const content = Object.values(operation.responses?.['200']?.content ?? {})[0]
  if (content === undefined) return ['has no 200 answer with content']
  const problems: string[] = []
  if (content.example === undefined && content.examples === undefined) problems.push('its 200 answer has no example')
  const hasEnvelope = content.schema.$ref === SUCCESS || content.schema.allOf?.[0]?.$ref === SUCCESS
  if (hasEnvelope !== (operation['x-envelope'] !== false))
    problems.push('its 200 answer must begin with Success, or the operation be marked x-envelope: false')
  for (const [type, { schema }] of Object.entries(operation.responses?.['200']?.content ?? {})) {
    // Code generators read them as text otherwise, which loses bytes.
    if (type.startsWith('image/') && schema.format !== 'binary') problems.push(`its ${type} lacks format: binary`)
  }
  return problems
}

function schemaProblems(name: string, schema: Schema, { components, info }: Document): string[] {
  const problems: string[] = []
  if (schema.description === undefined) problems.push(`${name} has no description`)
  mapSchema(schema, (one) => {
    problems.push(...levelProblems(name, one, Number(info.version)))
    for (const [property, value] of Object.entries(one.properties ?? {})) {
      if (resolved(value, components.schemas).description === undefined)
        problems.push(`${name}: ${property} has no description`)
    }
    return one
  })
  return problems
}

/** The contract describes the newest level, so nothing in it may begin later. */
function levelProblems(where: string, marked: Marked, newest: number): string[] {
  const { 'x-feature-level': level, 'x-feature-levels': levels = {} } = marked
  const all = [...(level === undefined ? [] : [level]), ...Object.values(levels)]
  const isLevel = (value: unknown) =>
    value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= newest)
  return all
    .filter(({ from, until, ...rest }) => !isLevel(from) || !isLevel(until) || Object.keys(rest).length > 0)
    .map((one) => `${where}: ${JSON.stringify(one)} is no feature level up to ${newest}`)
}

function eventProblems({ components }: Document): string[] {
  return (components.schemas.Event?.oneOf ?? []).flatMap((reference) => {
    const event = resolved(reference, components.schemas)
    const problems: string[] = []
    if (event.examples === undefined) problems.push('has no example')
    if (event.properties?.type?.const === undefined) problems.push('has no constant type')
    if (!(event.required?.includes('id') && event.required.includes('type')))
      problems.push('id and type are not required')
    return problems.map((problem) => `${reference.$ref}: ${problem}`)
  })
}
