const ASKED_OF_ALL = ['envelope/hostile', 'envelope/ignored', 'envelope/success', 'errors', 'impostors', 'roles']
/** Checks that the suite can run on no server. The list may only shrink. */
export const ALWAYS_LEFT_OUT = [
  ...['envelope/hostile/deactivate-own-user', 'envelope/hostile/regenerate-own-api-key'],
  ...ASKED_OF_ALL.map((check) => `${check}/deactivate-realm`), // which would leave nobody to send further requests
]
/**
 * Requirements that no deployment of Parley shows, in the words of the results: web-public channels (DIFF-WEB-PUBLIC).
 * The list may only shrink.
 */
export const NOT_OBSERVABLE = ['SUB-FIELD-27: true is not observable here: no web-public channel can be made']
/** Checks that need a server for tests, whose clock the suite moves. */
export const STAND_IN_ONLY = [
  ...['effects/update-stream/retention', 'events/abandoned', 'presence/aged', 'topic-deletion/time'],
]
/** Checks that need rate limits. */
export const LIMITED_ONLY = ['refusals/rate-limit']
