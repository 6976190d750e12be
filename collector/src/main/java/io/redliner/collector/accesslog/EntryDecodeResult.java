// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

/** What an access log entry means to the windows. */
enum EntryDecodeResult {

    /** It tells of a request to an instance. */
    REQUEST,

    /** It tells of a request that never reached an instance. */
    NO_UPSTREAM,

    /** It tells of a request, and makes no sense. */
    MALFORMED,

    /** It tells nothing that another entry does not. */
    IGNORED
}
