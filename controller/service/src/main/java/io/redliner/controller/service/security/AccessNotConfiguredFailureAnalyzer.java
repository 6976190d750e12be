// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports why the controller does not start, and what to do, instead of a stack trace. */
class AccessNotConfiguredFailureAnalyzer extends AbstractFailureAnalyzer<AccessNotConfiguredException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, AccessNotConfiguredException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
