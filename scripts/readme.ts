import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../server/settings.ts'

const README = join(import.meta.dirname, '../README.md')
const BEGIN = '<!-- settings: made by scripts/readme.ts from server/settings.ts -->'
const END = '<!-- /settings -->'

function settingsTable(): string {
  const rows = SETTINGS.map(
    ({ variable, flag, default: standard, values, meaning }) =>
      `| \`${variable}\` | \`--${flag}\` | ${standard} | ${values} | ${meaning} |`,
  )
  return ['| variable | flag | default | values | meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

function withTable(readme: string): string {
  const begin = readme.indexOf(BEGIN)
  const end = readme.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`README.md lacks ${BEGIN} … ${END}`)
  return `${readme.slice(0, begin)}${BEGIN}\n\n${settingsTable()}\n\n${readme.slice(end)}`
}

/** What is wrong with README's table of settings; empty when it says what server/config.ts says. */
export function readmeProblems(): string[] {
  const readme = readFileSync(README, 'utf8')
  return withTable(readme) === readme ? [] : ['README.md: the table of settings is old: run node scripts/readme.ts']
}

if (import.meta.main) writeFileSync(README, withTable(readFileSync(README, 'utf8')))
