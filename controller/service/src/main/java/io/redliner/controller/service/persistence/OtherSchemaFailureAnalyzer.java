// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports why the controller does not start, and what to do, instead of a stack trace. */
class OtherSchemaFailureAnalyzer extends AbstractFailureAnalyzer<OtherSchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, OtherSchemaException cause) {
        return new FailureAnalysis(cause.getMessage(), OtherSchemaException.action(), cause);
    }
}
