import type { Permission } from '../generate/document.ts'
import { partsOf, SETTING_TABLES, settingOf } from '../generate/permissions.ts'
import { isGroupSetting, type SettingTables } from '../generate/settings.ts'
import type { Source } from '../generate/source.ts'
import { CALLERS, type Cell, matrixOf, type Row } from './matrix.ts'

/** The tables of docs/permissions.md, by name. */
export function permissionTables(source: Source): Readonly<Record<'matrix' | 'settings' | 'switches', string>> {
  const rows = matrixOf(source)
  return {
    matrix: matrixTable(rows, source),
    settings: settingsTable(rows, source.settings),
    switches: switchesTable(source.settings),
  }
}

function matrixTable(rows: readonly Row[], { document: { tags = [] } }: Source): string {
  const heads = CALLERS.map((caller) => (caller === 'own' ? 'owner of it' : caller))
  return tags
    .flatMap(({ name }) => {
      const own = rows.filter(({ tag }) => tag === name)
      if (own.length === 0) return []
      const lines = own.map(
        (row) =>
          `| ${titleOf(row)} | ${CALLERS.map((one) => shown(row.cells.get(one))).join(' | ')} | ${ruleOf(row.permission)} |`,
      )
      const head = `| ${name} | ${heads.join(' | ')} | rule |`
      return [head, `| --- |${' :-: |'.repeat(CALLERS.length)} --- |`, ...lines, '']
    })
    .join('\n')
    .trimEnd()
}

function titleOf({ operationId, permission: { act, when = {} } }: Row): string {
  const condition = Object.entries(when).map(([name, value]) => ` (\`${name}\`: ${value})`)
  return act === undefined ? `\`${operationId}\`` : `– ${act}${condition.join('')}`
}

/** One word for each kind of refusal; the table's key explains them. */
function shown(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  const { status, code = '', msg = '' } = cell
  if (status === 200) return '✔'
  if (/ bot/.test(msg)) return 'bot'
  if (msg !== '') return 'role'
  if (status === 401) return '401'
  if (code === 'BAD_REQUEST') return `${status}`
  return `\`${code}\``
}

function ruleOf({ least, by }: Permission): string {
  const alternatives = by?.map((one) => partsOf(one).map(inWords).join(' and '))
  const who = alternatives?.length === 0 ? 'nobody' : (alternatives?.join(', or ') ?? '')
  return [...(least ? [`from ${least} on`] : []), ...(who ? [who] : [])].join('; ')
}

function inWords(part: string): string {
  if (part === 'own') return 'owner of it'
  if (part === 'guest') return 'everybody'
  return part.includes('.') || part.includes('can_') || part.includes('_group') ? `\`${part}\`` : part
}

/** A table of what each setting that names a group allows. */
function settingsTable(rows: readonly Row[], tables: SettingTables): string {
  const opened = new Map<string, string[]>()
  for (const { operationId, permission } of rows) {
    for (const part of new Set((permission.by ?? []).flatMap(partsOf))) {
      const says = permission.act === undefined ? `\`${operationId}\`` : `\`${operationId}\` (${permission.act})`
      if (settingOf(part, tables)) opened.set(part, [...(opened.get(part) ?? []), says])
    }
  }
  const lines = Object.entries(SETTING_TABLES).flatMap(([prefix, file]) =>
    Object.entries(tables[file] ?? {})
      .filter(([name, setting]) => settingOf(prefix + name, tables) && isGroupSetting(setting))
      .map(([name, setting]) => {
        const { default: value, changed_by: role = 'nobody so far', obeyed } = setting['x-setting']
        const what = obeyed === false ? 'not used so far' : (opened.get(prefix + name)?.join(', ') ?? '')
        return `| \`${prefix}${name}\` | ${setting.description} | ${value} | ${role} | ${what} |`
      }),
  )
  return ['| setting | meaning | default | changed by | opens |', '| --- | --- | --- | --- | --- |', ...lines].join(
    '\n',
  )
}

/** A table of who can change the other settings of the organization. */
function switchesTable(tables: SettingTables): string {
  const lines = Object.entries(tables['organization.settings'] ?? {})
    .filter(([, setting]) => !isGroupSetting(setting))
    .map(([name, setting]) => {
      const { default: value, changed_by: role = 'nobody so far', obeyed } = setting['x-setting']
      const note = obeyed === false ? ' Not used so far.' : ''
      return `| \`${name}\` | ${setting.description}${note} | ${JSON.stringify(value)} | ${role} |`
    })
  return ['| setting | meaning | default | changed by |', '| --- | --- | --- | --- |', ...lines].join('\n')
}
