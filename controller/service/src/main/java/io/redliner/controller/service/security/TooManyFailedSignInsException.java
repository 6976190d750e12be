// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.Serial;
import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** An address failed to sign in so often that it is not asked any more for a while. */
final class TooManyFailedSignInsException extends AuthenticationException {

    @Serial
    private static final long serialVersionUID = 1;

    private final Duration patience;

    TooManyFailedSignInsException(Duration patience) {
        super("too many failed sign-ins");
        this.patience = patience;
    }

    /** How long to wait. */
    Duration patience() {
        return patience;
    }
}
