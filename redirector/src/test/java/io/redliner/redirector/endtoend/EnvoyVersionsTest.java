// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What owners run: each minor version of Envoy that is maintained or was of late. All other tests have the newest. */
@Tag("contract")
@Timeout(600)
class EnvoyVersionsTest {

    private static final int USERS = 500;

    private static final Redirect HASH = new Redirect(RedirectMode.HASH,
            new RoutingAttribute(RoutingAttribute.Source.HEADER, "uid"), null,
            List.of());

    @ParameterizedTest
    @ValueSource(strings = {"1.36.4", "1.37.0", "1.38.3", "1.39.3"})
    void a_lease_moves_traffic_by_split_and_by_hash_and_traffic_goes_back(String version) {
        try (ProxiedService proxied = ProxiedService
                .start(ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS).version(version))) {
            assertThat(proxied.admin().get("/server_info")).contains("/" + version + "/");
            try (LeaseHolder holder = proxied.applied(1, 600_000, Redirect.SPLIT)) {
                assertThat(proxied.traffic.shareOf(proxied.sut, 1_000)).isCloseTo(0.6,
                        within(Traffic.bound(0.6, 1_000)));
                holder.release();
            }
            proxied.await(ReportedLeaseState.NATURAL);
            try (LeaseHolder holder = proxied.applied(2, 300_000, HASH)) {
                Set<Integer> first = atSut(proxied);
                assertThat((double) first.size() / USERS).isCloseTo(0.3, within(Traffic.bound(0.3, USERS)));
                assertThat(atSut(proxied)).isEqualTo(first);
                holder.release();
            }
            proxied.await(ReportedLeaseState.NATURAL);
            assertThat(proxied.traffic.shareOf(proxied.sut, 1_000)).isCloseTo(0.25, within(Traffic.bound(0.25, 1_000)));
        }
    }

    private static Set<Integer> atSut(ProxiedService proxied) {
        return IntStream.range(0, USERS).boxed()
                .filter(user -> proxied.traffic.withHeader("uid", "user-" + user).equals(proxied.sut))
                .collect(Collectors.toSet());
    }
}
