// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

/** The collector cannot listen for OTLP on the configured port. */
public final class OtlpPortInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OtlpPortInUseException(OtlpProperties properties, Throwable cause) {
        super("Cannot listen for OTLP on " + properties.address() + ":" + properties.port() + " (" + reason(cause)
                + "); free the port or set redliner.collector.otlp.port", cause);
    }

    private static String reason(Throwable cause) {
        Throwable deeper = cause.getCause();
        return deeper == null ? String.valueOf(cause.getMessage()) : reason(deeper);
    }
}
