// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.xds;

import io.envoyproxy.envoy.config.core.v3.Node;
import io.redliner.redirector.service.Service;

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
                    .build();
        }
        return known;
    }
}
