/** What checks look at beside requirements.yaml: what the contract as a document promises, in words for reports. */
export const ownRules: ReadonlyMap<string, string> = new Map([
  ['CONTRACT-ANSWER', 'An answer has the shape that the contract describes for its operation and HTTP status.'],
  [
    'CONTRACT-FAILURE',
    'Nothing that a client sends makes the server fail: no answer has an HTTP status of 500 or above.',
  ],
  [
    'CONTRACT-RANGE',
    'A value beyond the bounds of a parameter is answered with `BAD_REQUEST` and a message that names it.',
  ],
  ['CONTRACT-SUCCESS', 'A request that the contract allows succeeds.'],
])
