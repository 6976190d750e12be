// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.controlplane.cache.Resources;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import java.util.Arrays;
import java.util.Optional;

/**
 * The types of resources that proxies get over xDS, in the order in which they must get them: a route never comes before its
 * clusters. The library has no type for runtime layers, so within it they use the type of secrets, which are not served here.
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

    /** Returns the type with the URL that a proxy names, or empty when it is not served here. */
    static Optional<ResourceType> ofUrl(String url) {
        return Arrays.stream(values()).filter(type -> type.url.equals(url)).findFirst();
    }

    /**
     * Returns the type with this URL within the library.
     *
     * @throws IllegalArgumentException when there is none
     */
    static ResourceType ofLibraryUrl(String url) {
        return Arrays.stream(values()).filter(type -> type.libraryUrl.equals(url)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing is served as " + url));
    }

    /** Returns the type URL in messages to and from proxies. */
    String url() {
        return url;
    }

    /** Returns the type URL within the library. */
    String libraryUrl() {
        return libraryUrl;
    }

    /** Returns whether a request without names means all resources of the type. */
    boolean wildcard() {
        return this == CLUSTER || this == LISTENER;
    }

    StreamKind streamKind() {
        return this == SHARE ? StreamKind.SHARES : StreamKind.CONFIGURATION;
    }

    ResourceKey key(String resource) {
        return new ResourceKey(streamKind(), name(), resource);
    }
}
