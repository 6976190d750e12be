// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the services file instead of showing a stack trace. */
class ServicesFileFailureAnalyzer extends AbstractFailureAnalyzer<InvalidServicesFileException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidServicesFileException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()),
                "Mend the services file, or name another in redliner.redirector.services.file.", cause);
    }
}
