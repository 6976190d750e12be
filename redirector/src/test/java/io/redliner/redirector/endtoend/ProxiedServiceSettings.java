// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.util.function.UnaryOperator;

/**
 * How a {@link ProxiedService} is set up.
 *
 * @param size how many instances the service has
 * @param port where the proxy listens for the service; 0 takes a free one
 * @param more a line of the service in the services file; where the route is the owner's how it chooses, or nothing
 *        for split
 * @param ownProxy whether a proxy of its own carries the service, in a group of its own; otherwise one that carries other
 *        services, too
 * @param change of the proxy's bootstrap; needs a proxy of its own
 * @param version of Envoy; empty takes the test kit's, any other needs a proxy of its own
 */
record ProxiedServiceSettings(Level level, Xds xds, int size, int port, String more, boolean ownProxy,
        UnaryOperator<EnvoyBootstrap> change, String version) {

    /** Four instances; their own proxy where the bootstrap names them. */
    static ProxiedServiceSettings of(Level level, Xds xds) {
        return new ProxiedServiceSettings(level, xds, 4, 0, "", level != Level.EVERYTHING, UnaryOperator.identity(),
                "");
    }

    /** Whether the proxy's bootstrap has the route. */
    boolean ownersRoute() {
        return level == Level.RUNTIME_ONLY || level == Level.ENDPOINTS_ONLY;
    }

    ProxiedServiceSettings size(int next) {
        return new ProxiedServiceSettings(level, xds, next, port, more, ownProxy, change, version);
    }

    ProxiedServiceSettings port(int next) {
        return new ProxiedServiceSettings(level, xds, size, next, more, ownProxy, change, version);
    }

    ProxiedServiceSettings more(String next) {
        return new ProxiedServiceSettings(level, xds, size, port, next, ownProxy, change, version);
    }

    ProxiedServiceSettings withOwnProxy() {
        return changing(change);
    }

    ProxiedServiceSettings changing(UnaryOperator<EnvoyBootstrap> next) {
        return new ProxiedServiceSettings(level, xds, size, port, more, true, next, version);
    }

    /** With a proxy of its own, of one version of Envoy. */
    ProxiedServiceSettings version(String next) {
        return new ProxiedServiceSettings(level, xds, size, port, more, true, change, next);
    }
}
