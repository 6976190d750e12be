// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import java.time.Duration;

/**
 * Limits of a service's requests that RedLiner chose, because the services file names none. A request that such a limit ends
 * does not count as an error of the service. A limit is zero when the owner chose it, or when there is none.
 *
 * @param routeTimeout longest time until the end of an answer
 * @param idleTimeout longest time without a byte of a request or an answer
 * @param requests that one proxy may have under way in one cluster
 */
public record OwnLimits(Duration routeTimeout, Duration idleTimeout, int requests) {

    /** No limits. */
    public static final OwnLimits NONE = new OwnLimits(Duration.ZERO, Duration.ZERO, 0);

    /** Envoy's idle timeout of streams in a listener that does not set one. */
    private static final Duration LISTENER_IDLE_TIMEOUT = Duration.ofMinutes(5);

    /** The limits of this service. */
    public static OwnLimits of(Service service) {
        IntegrationLevel integration = service.integration();
        if (integration.ownersRoute().isPresent()) {
            return NONE;
        }
        Upstream upstream = service.upstream();
        return new OwnLimits(upstream.chosenTimeout().isPresent() ? Duration.ZERO : upstream.timeout(),
                integration.listenAddress().isPresent() ? LISTENER_IDLE_TIMEOUT : Duration.ZERO,
                upstream.breakers().equals(CircuitBreakers.DEFAULT) ? upstream.breakers().requests() : 0);
    }
}
