// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import java.time.Duration;

/**
 * Limits of a service's requests that were chosen here, because the services file names none. A request that one of them ends is no
 * error of the service. Zero: the owner chose it, or there is none.
 *
 * @param routeTimeout until the end of an answer
 * @param idleTimeout without a byte of a request or an answer
 * @param requests that one proxy may have under way in one cluster
 */
public record OwnLimits(Duration routeTimeout, Duration idleTimeout, int requests) {

    /** Nothing is limited here. */
    public static final OwnLimits NONE = new OwnLimits(Duration.ZERO, Duration.ZERO, 0);

    /** Envoy's, of streams in a listener that does not set it. */
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
