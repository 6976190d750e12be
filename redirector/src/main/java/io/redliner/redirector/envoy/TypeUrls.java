// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.Resources;
import io.redliner.redirector.dataplane.ResourceKey.Kind;
import java.util.Map;
import java.util.Objects;

/** Kinds of resources by the URLs of their types. */
final class TypeUrls {

    static final String RUNTIME = "type.googleapis.com/envoy.service.runtime.v3.Runtime";

    /** The library has no type for runtime layers: within it they go by this one, which nobody gets from here. */
    private static final String LAYER = Resources.V3.SECRET_TYPE_URL;

    private static final Map<String, Kind> WITHIN_LIBRARY = Map.of(
            Resources.V3.CLUSTER_TYPE_URL, Kind.CLUSTER,
            Resources.V3.ENDPOINT_TYPE_URL, Kind.ENDPOINTS,
            Resources.V3.LISTENER_TYPE_URL, Kind.LISTENER,
            Resources.V3.ROUTE_TYPE_URL, Kind.ROUTE,
            LAYER, Kind.SHARE);

    private TypeUrls() {}

    /** Whether there is anything of the type here. */
    static boolean served(String typeUrl) {
        return !typeUrl.equals(LAYER) && WITHIN_LIBRARY.containsKey(withinLibrary(typeUrl));
    }

    /** The type by which the library knows a type that is served. */
    static String withinLibrary(String typeUrl) {
        return typeUrl.equals(RUNTIME) ? LAYER : typeUrl;
    }

    /** The other way round. */
    static String outside(String typeUrl) {
        return typeUrl.equals(LAYER) ? RUNTIME : typeUrl;
    }

    /** The kind of a type within the library. */
    static Kind kind(String typeUrl) {
        return Objects.requireNonNull(WITHIN_LIBRARY.get(typeUrl), typeUrl);
    }

    /** Whether a proxy that names none gets all of them, and not nothing. */
    static boolean wildcard(Kind kind) {
        return kind == Kind.CLUSTER || kind == Kind.LISTENER;
    }
}
