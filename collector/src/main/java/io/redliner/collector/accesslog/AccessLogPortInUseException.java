// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

/** The collector cannot listen for access logs on the configured port. */
public final class AccessLogPortInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AccessLogPortInUseException(AccessLogProperties properties, Throwable cause) {
        super("Cannot listen for access logs on " + properties.address() + ":" + properties.port() + " ("
                + reason(cause) + "); free the port or set redliner.collector.access-log.port", cause);
    }

    private static String reason(Throwable cause) {
        Throwable deeper = cause.getCause();
        return deeper == null ? String.valueOf(cause.getMessage()) : reason(deeper);
    }
}
