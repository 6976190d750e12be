// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

/** The collector cannot listen on a configured port. */
public final class ListenerPortInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception, which names the setting to change.
     *
     * @param content what the port is for, such as {@code OTLP}
     * @param setting the prefix of the port's settings
     */
    public ListenerPortInUseException(String content, String setting, String address, int port, Throwable cause) {
        super("Cannot listen for " + content + " on " + address + ":" + port + " (" + reason(cause)
                + "); free the port or set " + setting + ".port", cause);
    }

    private static String reason(Throwable cause) {
        Throwable deeper = cause.getCause();
        return deeper == null ? String.valueOf(cause.getMessage()) : reason(deeper);
    }
}
