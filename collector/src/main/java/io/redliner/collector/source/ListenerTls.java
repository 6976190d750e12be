// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * TLS settings of a port of the collector. The PEM files are read again within a minute when they change. Without files,
 * connections are in the clear.
 *
 * @param certificate the collector's, with its chain
 * @param key of the certificate, PKCS#8
 * @param trusted certificates that sign those of the senders; absent: any client may send
 * @param identities names of the senders that may send, see {@link io.redliner.contract.PeerAllowList#of}; empty: all that are
 * trusted
 */
public record ListenerTls(@Nullable Path certificate, @Nullable Path key, @Nullable Path trusted,
        @DefaultValue List<String> identities) {

    /** Connections in the clear. */
    public static final ListenerTls NONE = new ListenerTls(null, null, null, List.of());

    public ListenerTls {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("tls needs both certificate and key, or none of them");
        }
        if (certificate == null && trusted != null) {
            throw new IllegalArgumentException("tls.trusted is of no use without tls.certificate and tls.key");
        }
        if (trusted == null && !identities.isEmpty()) {
            throw new IllegalArgumentException("tls.identities is of no use without tls.trusted");
        }
        identities = List.copyOf(identities);
    }
}
