// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Kinds of records: the start and the end of a request. */
public enum RecordKind {

    /** The request was sent to an instance. */
    START,

    /** The request ended, with or without an answer. */
    END
}
