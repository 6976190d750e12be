// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import java.util.Arrays;

/** What a proxy asks for. */
enum XdsResourceType {
    CLUSTER("envoy.config.cluster.v3.Cluster"), ENDPOINTS("envoy.config.endpoint.v3.ClusterLoadAssignment"), LISTENER(
            "envoy.config.listener.v3.Listener"), ROUTE(
                    "envoy.config.route.v3.RouteConfiguration"), RUNTIME("envoy.service.runtime.v3.Runtime");

    private final String typeUrl;

    XdsResourceType(String type) {
        this.typeUrl = "type.googleapis.com/" + type;
    }

    String typeUrl() {
        return typeUrl;
    }

    static XdsResourceType of(String typeUrl) {
        return Arrays.stream(values()).filter(kind -> kind.typeUrl.equals(typeUrl)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nobody asked for " + typeUrl));
    }
}
