// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.redliner.collector.source.ListenerTls;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the port that proxies send their access logs to.
 *
 * @param address the network interface to listen on
 * @param port TCP port, 0 for any free one
 * @param keepAlive how often a silent connection is probed, in whole seconds; after three times that without a sign of
 *        life its streams are over
 * @param threads that read and count, 1 to 64
 * @param tls who may send
 */
@ConfigurationProperties("redliner.collector.access-log")
public record AccessLogProperties(@DefaultValue("127.0.0.1") String address, @DefaultValue("18090") int port,
        @DefaultValue("1s") Duration keepAlive, @DefaultValue("2") int threads, @DefaultValue ListenerTls tls) {

    /** The prefix of the TLS settings, as error messages name it. */
    static final String TLS = "redliner.collector.access-log.tls";

    public AccessLogProperties {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("redliner.collector.access-log.port is 0 to 65535; not " + port);
        }
        if (keepAlive.toSeconds() < 1 || keepAlive.toSeconds() > 60
                || !keepAlive.equals(Duration.ofSeconds(keepAlive.toSeconds()))) {
            throw new IllegalArgumentException(
                    "redliner.collector.access-log.keep-alive is 1 to 60 whole seconds; not " + keepAlive);
        }
        if (threads < 1 || threads > 64) {
            throw new IllegalArgumentException("redliner.collector.access-log.threads is 1 to 64; not " + threads);
        }
    }
}
