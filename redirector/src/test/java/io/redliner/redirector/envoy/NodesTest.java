// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import org.junit.jupiter.api.Test;

class NodesTest {

    private static ProxySoftware envoy(int major, int minor) {
        return Nodes.software(Node.newBuilder().setUserAgentBuildVersion(BuildVersion.newBuilder()
                .setVersion(SemanticVersion.newBuilder().setMajorNumber(major).setMinorNumber(minor))).build());
    }

    @Test
    void envoy_chooses_by_hash_from_1_36_on() {
        assertThat(envoy(1, 35).modes()).containsExactlyInAnyOrder(RedirectMode.SPLIT, RedirectMode.ENDPOINT_WEIGHT,
                RedirectMode.MODULO);
        assertThat(envoy(1, 36).modes()).contains(RedirectMode.HASH);
        assertThat(envoy(2, 0).modes()).contains(RedirectMode.HASH);
    }

    @Test
    void an_envoy_that_names_no_version_is_older_than_any() {
        ProxySoftware unnamed = Nodes.software(Node.getDefaultInstance());
        assertThat(unnamed.modes()).doesNotContain(RedirectMode.HASH);
        assertThat(unnamed.name()).isEqualTo("Envoy of an unknown version");
    }
}
