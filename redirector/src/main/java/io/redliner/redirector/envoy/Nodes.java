// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import io.redliner.redirector.dataplane.EnvoyVersion;
import io.redliner.redirector.routing.Service;

/**
 * Who is at the other end of a stream. Proxies say it in their first request only, or in each; what is kept of it is
 * little, for the list of a proxy's extensions alone takes some 20 KiB.
 */
final class Nodes {

    private Node known = Node.getDefaultInstance();

    /** The node by a request's word, or by an earlier one's. */
    Node of(boolean told, Node node) {
        if (told) {
            known = Node.newBuilder()
                    .setId(node.getId())
                    .setCluster(node.getCluster().isBlank() ? Service.DEFAULT_PROXIES : node.getCluster())
                    .setUserAgentBuildVersion(BuildVersion.newBuilder()
                            .setVersion(node.getUserAgentBuildVersion().getVersion()))
                    .build();
        }
        return known;
    }

    /** What the node says of its version. */
    static EnvoyVersion version(Node node) {
        SemanticVersion named = node.getUserAgentBuildVersion().getVersion();
        return new EnvoyVersion(named.getMajorNumber(), named.getMinorNumber());
    }
}
