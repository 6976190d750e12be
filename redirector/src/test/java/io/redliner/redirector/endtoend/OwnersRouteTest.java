// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.testkit.OwnersRoute;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Routes that their owner wrote: what is natural is what they do, whatever the services file says. */
class OwnersRouteTest {

    private static final int REQUESTS = 2_000;

    /** The owner's route with other weights. */
    private static EnvoyBootstrap route(EnvoyBootstrap bootstrap, int rest, int canary) {
        return OwnersRoute.weight(OwnersRoute.weight(bootstrap, "profile-be-rest", rest), "profile-be-canary", canary);
    }

    private static void assertParts(ProxiedService proxied, String variant, double sut, double other) {
        Map<String, Integer> answers = proxied.traffic.send(REQUESTS);
        assertThat((double) answers.getOrDefault(proxied.sut, 0) / REQUESTS).as("SUT").isCloseTo(sut,
                within(Traffic.bound(sut, REQUESTS)));
        assertThat((double) answers.getOrDefault(variant, 0) / REQUESTS).as("variant").isCloseTo(other,
                within(Traffic.bound(other, REQUESTS)));
    }

    @Test
    void a_variant_that_is_no_part_of_the_test_keeps_its_fifth() {
        try (Fleet variant = new Fleet(1);
                ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings
                        .of(Level.RUNTIME_ONLY, Xds.WHOLE_STATE)
                        .more("split, weights: {profile-be-rest: 60, profile-be-canary: 20, profile-be-variant: 20}")
                        .changing(bootstrap -> OwnersRoute.variant(route(bootstrap, 60, 20),
                                "profile-be-variant", 20, variant.addresses().getFirst())))) {
            String other = variant.addresses().getFirst();
            try (LeaseHolder holder = proxied.applied(1, 250_000, Redirect.SPLIT)) {
                assertParts(proxied, other, 0.2, 0.2);
                proxied.hold(holder, 1, 600_000);
                assertParts(proxied, other, 0.8 * 0.6, 0.2);
                holder.release();
            }
            proxied.await(ReportedLeaseState.NATURAL);
            assertParts(proxied, other, 0.2, 0.2);
            assertThat(proxied.lastMessage().getElsewherePpm()).isEqualTo(200_000);
            assertThat(proxied.lastMessage().getInstancesList()).last()
                    .satisfies(sut -> assertThat(sut.getNaturalSharePpm()).isEqualTo(250_000));
        }
    }

    @Test
    void a_lease_on_the_natural_share_moves_nothing_even_where_the_services_file_is_wrong_about_it() {
        try (ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings.of(Level.RUNTIME_ONLY, Xds.INCREMENTS)
                .changing(bootstrap -> route(bootstrap, 95, 5)));
                LeaseHolder holder = proxied.applied(1, 250_000, Redirect.SPLIT)) {
            assertParts(proxied, "", 0.05, 0);
            holder.release();
        }
    }
}
