// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which port is in use instead of showing a stack trace. */
class XdsPortInUseFailureAnalyzer extends AbstractFailureAnalyzer<XdsPortInUseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, XdsPortInUseException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), "End the other process, or change the port.",
                cause);
    }
}
