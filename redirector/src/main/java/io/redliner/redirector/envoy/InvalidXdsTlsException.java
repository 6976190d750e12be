// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import java.io.Serial;

/** A certificate or key for the streams to the proxies cannot be used. */
public class InvalidXdsTlsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    InvalidXdsTlsException(XdsProperties.Tls tls, Throwable cause) {
        super("cannot use redliner.redirector.xds.tls, certificate " + tls.certificate() + ", key " + tls.key()
                + ", trusted " + tls.trusted() + ": " + cause + "; all three are PEM files, the key in PKCS#8", cause);
    }
}
