// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import io.redliner.collector.window.DropReason;
import io.redliner.collector.window.RecordKind;
import io.redliner.collector.window.RequestRecord;

/** What an access log entry means to the windows. */
sealed interface Reading {

    /** It tells of a request to an instance. */
    record Request(RequestRecord request) implements Reading {}

    /** It tells of a request, and cannot be counted. */
    record Rejected(RecordKind kind, DropReason reason) implements Reading {}

    /** It tells nothing that another entry does not. */
    record Ignored() implements Reading {}
}
