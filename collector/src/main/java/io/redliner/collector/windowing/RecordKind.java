// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** The two things a proxy reports of a request. */
public enum RecordKind {

    /** The request was sent to an instance. */
    START,

    /** The request ended, one way or the other. */
    END
}
