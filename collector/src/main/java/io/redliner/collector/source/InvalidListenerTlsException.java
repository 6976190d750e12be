// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

/** The certificate or the key of a port of the collector cannot be used. */
public final class InvalidListenerTlsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidListenerTlsException(String setting, ListenerTls tls, Throwable cause) {
        super("Cannot use " + setting + ": certificate " + tls.certificate() + ", key " + tls.key() + ", trusted "
                + tls.trusted() + ": " + cause + "; all are PEM files, the key in PKCS#8", cause);
    }
}
