// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;

/** A point is not handed on. The exception has no stack trace: a bad message can have very many. */
final class PointRejectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final PointRejectionReason reason;

    PointRejectedException(PointRejectionReason reason) {
        super(reason.message(), null, false, false);
        this.reason = reason;
    }

    PointRejectionReason reason() {
        return reason;
    }
}
