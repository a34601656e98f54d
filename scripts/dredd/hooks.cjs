// Dredd loads CommonJS only: for an ES module it prints a warning, runs without hooks and reports success.
const hooks = require('hooks') // exists only inside Dredd

const opened = import('./session.ts').then(({ Session }) => Session.open(JSON.parse(process.env.PARLEY_DREDD)))
opened.catch((err) => console.error(`hooks: ${err.message}`)) // then every transaction fails

let isInterrupted = false
process.once('SIGTERM', () => {
  isInterrupted = true
})

/** Starts nothing after an interruption, and removes what was created before it. */
const end = () =>
  opened
    .then((session) => session.close())
    .finally(() => {
      process.exit(2)
    })

/** A hook in which the session does `what`; if that fails, so does the transaction. */
const letting = (what) => (transaction, done) => {
  const failed = (err) => {
    transaction.fail = err.message
  }
  if (isInterrupted) return void end()
  void opened
    .then((session) => what(session, transaction))
    .catch(failed)
    .then(() => done())
}

hooks.beforeEach(letting((session, transaction) => session.prepare(transaction)))
hooks.beforeEachValidation(letting((session, transaction) => session.answered(transaction)))
hooks.afterEach(letting((session, transaction) => session.judge(transaction)))
hooks.afterAll(letting((session) => session.close()))
