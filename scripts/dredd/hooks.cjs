// Dredd loads CommonJS only: of an ES module it warns, goes on without it and says that all is well.
const hooks = require('hooks') // exists inside of Dredd

const opened = import('./session.ts').then(({ Session }) => Session.open(JSON.parse(process.env.PARLEY_DREDD)))
opened.catch((err) => console.error(`hooks: ${err.message}`)) // every transaction fails of it

/** A hook that lets the session do `what`; where that fails, the transaction has failed. */
const letting = (what) => (transaction, done) => {
  const failed = (err) => {
    transaction.fail = err.message
  }
  void opened
    .then((session) => what(session, transaction))
    .catch(failed)
    .then(() => done())
}

hooks.beforeEach(letting((session, transaction) => session.prepare(transaction)))
hooks.beforeEachValidation(letting((session, transaction) => session.answered(transaction)))
hooks.afterEach(letting((session, transaction) => session.judge(transaction)))
hooks.afterAll(letting((session) => session.close()))
