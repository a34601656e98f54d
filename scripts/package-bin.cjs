#!/usr/bin/env node
// The command of a package, `bin.cjs` beside its package.json. An old Node can read it too, and it ends when npx does.
'use strict'
const manifest = require('./package.json')

const [needed, present] = [manifest.engines.node.replace('>=', ''), process.versions.node]
const [[neededMajor, neededMinor], [major, minor]] = [needed, present].map((version) => version.split('.').map(Number))

if (major < neededMajor || (major === neededMajor && minor < (neededMinor || 0))) {
  console.error(`${manifest.name} needs Node ${needed} or newer; this is Node ${present}, ${process.execPath}`)
  process.exitCode = 2
} else {
  if (isRunByNpx()) endWithParent()
  void import(manifest.command)
}

function isRunByNpx() {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script } = process.env
  return event === 'npx' && String(script).includes(manifest.name)
}

/**
 * npm passes SIGTERM to the shell in which it runs a command. The shell ends without telling the command, which can
 * only notice that its parent has changed.
 */
function endWithParent() {
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
