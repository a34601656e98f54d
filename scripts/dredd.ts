import { parseArgs } from 'node:util'
import { CannotRunError, readCredentials } from '../conformance/deployment/credentials.ts'
import { interruption } from '../conformance/interruption.ts'
import { UnreachableError } from '../conformance/wire/http.ts'
import { type DreddReport, runDredd } from './dredd/run.ts'
import { ensureGenerated } from './generate.ts'

const usage = `Lets Dredd call every operation of the contract once, on any server of this API.

  npm run dredd -- --url http://127.0.0.1:9991 --credentials data/demo-credentials.json

  --url URL            address of the server; default: the one in the credentials
  --credentials FILE   demo-credentials.json or a zuliprc; may be given several times

Exit code: 0 passed, 1 failed, 2 could not run, or was interrupted.
`

const options = {
  url: { type: 'string' },
  credentials: { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const

async function main(): Promise<number> {
  try {
    const flags = readFlags()
    if (flags.help) {
      process.stdout.write(usage)
      return 0
    }
    const files = (flags.credentials ?? []).map(readCredentials)
    const url = flags.url ?? files.find((file) => file.url !== undefined)?.url
    if (files.length === 0) throw new CannotRunError(`--credentials is missing\n\n${usage}`)
    if (url === undefined || !URL.canParse(url)) throw new CannotRunError(`--url is not an address: ${url}\n\n${usage}`)
    await ensureGenerated()
    const logins = files.flatMap((file) => file.logins)
    const report = await runDredd({ url, logins, onLine: briefly(), signal: interruption() })
    console.log(reportText(report))
    if (report.isInterrupted) return 2
    return report.passed ? 0 : 1
  } catch (err) {
    const isExpected = err instanceof CannotRunError || err instanceof UnreachableError
    console.error(isExpected ? err.message : err)
    return 2
  }
}

function readFlags() {
  try {
    return parseArgs({ options }).values
  } catch (err) {
    throw new CannotRunError(`${err instanceof Error ? err.message : err}\n\n${usage}`)
  }
}

/** Prints Dredd's output without its list of failures, which shows API keys and says less than ours. */
function briefly(): (line: string) => void {
  let isList = false
  return (line) => {
    if (/^\w*: Displaying failed tests/.test(line)) isList = true
    if (/^complete: /.test(line)) isList = false
    if (!isList) console.log(line)
  }
}

function reportText({ featureLevel, results, problems, remains, isInterrupted, passed }: DreddReport): string {
  const of = (outcome: string) => results.filter((result) => result.outcome === outcome)
  const indented = (text = '') => text.trim().replaceAll('\n', '\n    ')
  return [
    '',
    ...(isInterrupted ? [] : of('left out')).map(({ operation, reason }) => `left out: ${operation}: ${reason}`),
    ...of('failed').map(
      ({ operation, reason, curl }) =>
        `failed: ${operation}\n    ${indented(reason)}${curl === undefined ? '' : `\n    ${indented(curl)}`}`,
    ),
    ...remains.map((what) => `left behind: ${what}`),
    ...problems.map((problem) => `problem: ${problem}`),
    `${isInterrupted ? 'INTERRUPTED' : passed ? 'PASSED' : 'FAILED'}: ${of('exercised').length} of ${results.length} operations exercised, ` +
      `${of('failed').length} failed, ${of('left out').length} left out (feature level ${featureLevel})`,
  ].join('\n')
}

process.exitCode = await main()
