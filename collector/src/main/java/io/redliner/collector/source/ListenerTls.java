// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a port that others send to, by PEM files that are read again within a minute when they change; none for
 * connections in the clear.
 *
 * @param certificate the collector's, with its chain
 * @param key of it, PKCS#8
 * @param trusted certificates that sign those of the senders; absent: whoever connects may send
 */
public record ListenerTls(@Nullable Path certificate, @Nullable Path key, @Nullable Path trusted) {

    /** In the clear. */
    public static final ListenerTls NONE = new ListenerTls(null, null, null);

    public ListenerTls {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("tls needs both certificate and key, or none of them");
        }
        if (certificate == null && trusted != null) {
            throw new IllegalArgumentException("tls.trusted is of no use without tls.certificate and tls.key");
        }
    }
}
