// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.Resources;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import java.util.Map;
import java.util.Optional;

/** Kinds of resources by the URLs of their types. */
final class TypeUrls {

    private static final Map<String, Kind> BY_URL = Map.of(
            Resources.V3.CLUSTER_TYPE_URL, Kind.CLUSTER,
            Resources.V3.ENDPOINT_TYPE_URL, Kind.ENDPOINTS,
            Resources.V3.LISTENER_TYPE_URL, Kind.LISTENER,
            Resources.V3.ROUTE_TYPE_URL, Kind.ROUTE);

    private TypeUrls() {}

    /** Empty for types that are not served as configuration. */
    static Optional<Kind> of(String typeUrl) {
        return Optional.ofNullable(BY_URL.get(typeUrl));
    }

    /** Whether a proxy that names none gets all of them, and not nothing. */
    static boolean wildcard(Kind kind) {
        return kind == Kind.CLUSTER || kind == Kind.LISTENER;
    }
}
