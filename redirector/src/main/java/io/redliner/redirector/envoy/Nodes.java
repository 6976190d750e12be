// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.routing.Service;
import java.util.EnumSet;
import java.util.Set;

/**
 * The node of the proxy on one stream. Proxies name their node in their first request only, or in each. Only the id, the group
 * and the version are kept, because the list of a proxy's extensions alone takes some 20 KiB.
 */
final class Nodes {

    /** Envoy 1.36 is the first that heeds {@code use_hash_policy} of weighted clusters; older ones choose at random. */
    private static final int HASH_POLICY_MINOR = 36;

    private Node lastNode = Node.getDefaultInstance();

    /** Returns the node that this request names, or the one of an earlier request. */
    Node of(boolean named, Node node) {
        if (named) {
            lastNode = Node.newBuilder()
                    .setId(node.getId())
                    .setCluster(node.getCluster().isBlank() ? Service.DEFAULT_PROXIES : node.getCluster())
                    .setUserAgentBuildVersion(BuildVersion.newBuilder()
                            .setVersion(node.getUserAgentBuildVersion().getVersion()))
                    .build();
        }
        return lastNode;
    }

    /** Returns the software, by the version that the node names. A node without a version counts as older than any. */
    static ProxySoftware software(Node node) {
        SemanticVersion version = node.getUserAgentBuildVersion().getVersion();
        Set<RedirectMode> modes = EnumSet.allOf(RedirectMode.class);
        if (version.getMajorNumber() < 1
                || (version.getMajorNumber() == 1 && version.getMinorNumber() < HASH_POLICY_MINOR)) {
            modes.remove(RedirectMode.HASH);
        }
        return new ProxySoftware("Envoy " + (version.getMajorNumber() == 0
                ? "of an unknown version"
                : version.getMajorNumber() + "." + version.getMinorNumber()), modes);
    }
}
