// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.Resources;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.util.Arrays;
import java.util.Optional;

/**
 * What proxies get over xDS, in the order in which they must get it, so that a route never comes before its clusters. The
 * library has no type for runtime layers: within it they go by one that nobody gets from here.
 */
enum ResourceType {
    CLUSTER(Resources.V3.CLUSTER_TYPE_URL, Resources.V3.CLUSTER_TYPE_URL), ENDPOINTS(Resources.V3.ENDPOINT_TYPE_URL,
            Resources.V3.ENDPOINT_TYPE_URL), LISTENER(Resources.V3.LISTENER_TYPE_URL,
                    Resources.V3.LISTENER_TYPE_URL), ROUTE(Resources.V3.ROUTE_TYPE_URL, Resources.V3.ROUTE_TYPE_URL),
    /** The runtime layer with the shares of all services. */
    SHARE("type.googleapis.com/envoy.service.runtime.v3.Runtime", Resources.V3.SECRET_TYPE_URL);

    private final String url;

    private final String libraryUrl;

    ResourceType(String url, String libraryUrl) {
        this.url = url;
        this.libraryUrl = libraryUrl;
    }

    /** By the URL that a proxy names, or empty when there is nothing of it here. */
    static Optional<ResourceType> ofUrl(String url) {
        return Arrays.stream(values()).filter(type -> type.url.equals(url)).findFirst();
    }

    /**
     * By the URL within the library.
     *
     * @throws IllegalArgumentException when there is none
     */
    static ResourceType ofLibraryUrl(String url) {
        return Arrays.stream(values()).filter(type -> type.libraryUrl.equals(url)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing is served as " + url));
    }

    /** As proxies call it. */
    String url() {
        return url;
    }

    /** As the library calls it. */
    String libraryUrl() {
        return libraryUrl;
    }

    /** Whether a proxy that names none gets all of them, and not nothing. */
    boolean wildcard() {
        return this == CLUSTER || this == LISTENER;
    }

    StreamKind channel() {
        return this == SHARE ? StreamKind.SHARES : StreamKind.CONFIGURATION;
    }

    ResourceKey key(String resource) {
        return new ResourceKey(channel(), name(), resource);
    }
}
