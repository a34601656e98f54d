/**
 * Versions that Parley reports. The feature level is the promise (LEVEL-INT): clients use it to decide which features
 * they may use. The version strings are for clients that parse them or compare releases; they name the first release of
 * the API whose level is not below ours.
 */
export const FEATURE_LEVEL = 482
export const ZULIP_VERSION = '12.0'
/** The release after which a development version left the release series; for a release, the version itself. */
export const MERGE_BASE = '12.0'
