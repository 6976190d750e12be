// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.contract.document.DocumentProblem;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The services file cannot be used. The message says of each mistake where it is and what to do. */
public class InvalidServicesFileException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final int line;

    InvalidServicesFileException(String file, List<DocumentProblem> problems) {
        super(problems.stream().map(problem -> problem.in(file)).collect(Collectors.joining("; ")));
        this.line = problems.getFirst().line();
    }

    InvalidServicesFileException(String message, Throwable unreadable) {
        super(message, unreadable);
        this.line = 0;
    }

    /** Returns the line of the first mistake, 1-based, or 0 when the file as a whole is at fault. */
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
