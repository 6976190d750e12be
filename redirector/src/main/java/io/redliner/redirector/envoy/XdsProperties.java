// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the server that proxies fetch their configuration from.
 *
 * @param address IP to listen on
 * @param port 0 to 65535; 0 takes a free one, see {@link XdsServer#port()}
 * @param keepalive how often a silent connection is checked; a dead one is found within this time plus 2 s
 * @param refusalPause how long until a refused version is offered again
 * @param tls of the connections; without it anybody who reaches the port may fetch the configuration
 */
@ConfigurationProperties("redliner.redirector.xds")
public record XdsProperties(@DefaultValue("127.0.0.1") String address, @DefaultValue("18000") int port,
        @DefaultValue("1s") Duration keepalive, @DefaultValue("5s") Duration refusalPause,
        @DefaultValue Tls tls) {

    private static final int MAX_PORT = 65_535;

    /**
     * TLS in both directions: all three PEM files, or none of them for streams in the clear.
     *
     * @param certificate the redirector's, with its chain
     * @param key of it, PKCS#8
     * @param trusted certificates of the authorities that sign the proxies' certificates
     * @param identities names of the proxies that are allowed, see {@link io.redliner.contract.PeerAllowList#of}; empty for all
     *        trusted ones
     */
    public record Tls(@Nullable Path certificate, @Nullable Path key, @Nullable Path trusted,
            @DefaultValue List<String> identities) {

        public Tls {
            long given = Stream.of(Optional.ofNullable(certificate), Optional.ofNullable(key),
                    Optional.ofNullable(trusted)).filter(Optional::isPresent).count();
            if (given != 0 && given != 3) {
                throw new IllegalArgumentException("redliner.redirector.xds.tls needs certificate, key and trusted, "
                        + "or none of them; without trusted anybody could take the configuration");
            }
            if (given == 0 && !identities.isEmpty()) {
                throw new IllegalArgumentException(
                        "redliner.redirector.xds.tls.identities is of no use without tls.trusted");
            }
            identities = List.copyOf(identities);
        }
    }

    public XdsProperties {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("redliner.redirector.xds.port " + port + " is outside 0 to " + MAX_PORT);
        }
        if (keepalive.isZero() || keepalive.isNegative() || refusalPause.isZero() || refusalPause.isNegative()) {
            throw new IllegalArgumentException(
                    "redliner.redirector.xds.keepalive and refusal-pause must be above zero");
        }
    }
}
