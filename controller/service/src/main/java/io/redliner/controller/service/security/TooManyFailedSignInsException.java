// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.Serial;
import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** Thrown when an address failed to sign in so often that its further attempts are refused for a while. */
final class TooManyFailedSignInsException extends AuthenticationException {

    @Serial
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    TooManyFailedSignInsException(Duration retryAfter) {
        super("too many failed sign-ins");
        this.retryAfter = retryAfter;
    }

    /** Returns the time to wait. */
    Duration retryAfter() {
        return retryAfter;
    }
}
