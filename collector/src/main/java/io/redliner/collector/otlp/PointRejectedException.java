// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

/** A point is not handed on. The exception has no stack trace: a bad message can have very many. */
final class PointRejectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final PointRejectionReason refusal;

    PointRejectedException(PointRejectionReason refusal) {
        super(refusal.words(), null, false, false);
        this.refusal = refusal;
    }

    PointRejectionReason refusal() {
        return refusal;
    }
}
