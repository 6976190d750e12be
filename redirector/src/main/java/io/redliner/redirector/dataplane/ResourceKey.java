// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.dataplane;

/**
 * The key of a resource that a proxy acknowledges.
 *
 * @param streamKind the subscription in which it is acknowledged
 * @param type type of the resource, as the data plane calls it
 * @param name name of the resource in the proxy; for a share, the service's name
 */
public record ResourceKey(StreamKind streamKind, String type, String name) {

    /** The version of a share while no lease moves traffic. */
    public static final String NATURAL_SHARE = "natural";

    /** The type of shares. */
    public static final String SHARE = "SHARE";

    /** The kind of a subscription. One stream may carry both. */
    public enum StreamKind {
        /** Clusters, endpoints, routes and listeners, which a share needs before it can be sent. */
        CONFIGURATION,
        /** The shares of the services. */
        SHARES
    }

    /** A service's share. */
    public static ResourceKey share(String service) {
        return new ResourceKey(StreamKind.SHARES, SHARE, service);
    }

    boolean isShare() {
        return streamKind == StreamKind.SHARES;
    }

    @Override
    public String toString() {
        return type + " " + name;
    }
}
