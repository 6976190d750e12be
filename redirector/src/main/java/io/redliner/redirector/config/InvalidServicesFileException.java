// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The services file cannot be used. The message says where and what to do. */
public class InvalidServicesFileException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final int line;

    InvalidServicesFileException(String file, int line, int column, String problem, @Nullable Throwable cause) {
        super(file + (line > 0 ? ":" + line + ":" + column : "") + ": " + problem, cause);
        this.line = line;
    }

    /** 1-based, or 0 when the file as a whole is at fault. */
    public int line() {
        return line;
    }

    /** Says what is wrong with the services file instead of showing a stack trace. */
    static class FailureAnalyzer extends AbstractFailureAnalyzer<InvalidServicesFileException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, InvalidServicesFileException cause) {
            return new FailureAnalysis(String.valueOf(cause.getMessage()),
                    "Mend the services file, or name another in redliner.redirector.services.file.", cause);
        }
    }
}
