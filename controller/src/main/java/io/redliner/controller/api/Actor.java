// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Who makes a request. */
final class Actor {

    private static final String LOCAL = "local";

    private Actor() {}

    /** The principal's name; of requests on the loopback interface that nobody authenticates, {@code local}. */
    static String name(@Nullable Principal principal) {
        return principal == null ? LOCAL : principal.getName();
    }
}
