// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;

/** A request's body did not arrive in time. */
final class BodyTimeoutException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    BodyTimeoutException(Duration timeout) {
        super("the body did not arrive within " + timeout.toMillis() + " ms");
    }
}
