// Dredd loads CommonJS only: about an ES module it warns, goes on without it and says that all is well.
const hooks = require('hooks') // exists inside of Dredd

const opened = import('./session.ts').then(({ Session }) => Session.open(JSON.parse(process.env.PARLEY_DREDD)))
opened.catch((err) => console.error(`hooks: ${err.message}`)) // then every transaction fails

let isInterrupted = false
process.once('SIGTERM', () => {
  isInterrupted = true
})

/** Lets nothing begin after an interruption: what was made before it is removed. */
const end = () =>
  opened
    .then((session) => session.close())
    .finally(() => {
      process.exit(2)
    })

/** A hook that lets the session do `what`; where that fails, the transaction has failed. */
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
