// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.redliner.collector.source.ListenerTls;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the port that services push their metrics to.
 *
 * @param address the network interface to listen on for gRPC
 * @param port TCP port for gRPC, 0 for any free one
 * @param http whether OTLP over HTTP is taken, too, at the collector's own port, where nobody is asked for a certificate unless
 *        {@code server.ssl} says so
 * @param maxMessage the largest message, unpacked, over gRPC or HTTP: 1 KB to 64 MB
 * @param tls who may push over gRPC
 */
@ConfigurationProperties("redliner.collector.otlp")
public record OtlpProperties(@DefaultValue("127.0.0.1") String address, @DefaultValue("4317") int port,
        @DefaultValue("true") boolean http, @DefaultValue("4MB") DataSize maxMessage, @DefaultValue ListenerTls tls) {

    /** The prefix of the TLS settings, as error messages name it. */
    static final String TLS = "redliner.collector.otlp.tls";

    public OtlpProperties {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("redliner.collector.otlp.port is 0 to 65535; not " + port);
        }
        if (maxMessage.toBytes() < 1_024 || maxMessage.toMegabytes() > 64) {
            throw new IllegalArgumentException(
                    "redliner.collector.otlp.max-message is 1KB to 64MB; not " + maxMessage);
        }
    }

    int maxMessageBytes() {
        return (int) maxMessage.toBytes();
    }
}
