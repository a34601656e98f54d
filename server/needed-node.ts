/**
 * Imported before everything else by entry points: on an older Node the database would end the whole process silently.
 */
import { readFileSync } from 'node:fs'

const { name, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed: string = engines.node.replace('>=', '')
const present = process.versions.node

if (present.localeCompare(needed, 'en', { numeric: true }) < 0) {
  throw new Error(`${name} needs Node ${needed} or newer; this is Node ${present}, ${process.execPath}`)
}
