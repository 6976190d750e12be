// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.lease.ActiveLease;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.RequestedTraffic;
import io.redliner.redirector.lease.Validity;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** On a route that its owner wrote. */
class RuntimeOverrideTest {

    private static final Instant END = Instant.parse("2026-01-01T00:00:05Z");

    private static final Duration TTL = Duration.ofSeconds(5);

    private static final Redirect MODULO = new Redirect(RedirectMode.MODULO,
            new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id"), 10_000, List.of());

    private static Instance instance(int number) {
        return new Instance(new HostPort("10.0.0." + number, 80), 1);
    }

    private static ActiveLease lease(Instance sut, Share share, Redirect redirect) {
        RequestedTraffic traffic = new RequestedTraffic(sut.address().toString(), share.ppm(), Share.WHOLE_PPM,
                redirect);
        return new ActiveLease(new Lease("shop", "run", 1, 1, traffic, new Validity(END.minus(TTL), END, TTL), false),
                sut,
                share, END, END);
    }

    private static RuntimeOverride override(Redirect redirect, RedirectMode selection, int ppm) {
        Service service = new Service("shop", "edge",
                new EnvoyIntegration.RuntimeOnly("routing.shop", instance(1).address(), "canary", "rest", Map.of(),
                        selection),
                Upstream.plain(Optional.empty()), List.of(instance(1), instance(2), instance(3)));
        // As the registry has it.
        Share share = redirect.attainable(new Share(ppm));
        return RuntimeOverride.of(new DesiredRouting(service, new RouteLayout.SingleCluster(), List.of(),
                Optional.of(lease(instance(1), share, redirect)), Optional.of(END))).orElseThrow();
    }

    @Test
    void a_lease_on_the_natural_share_sets_no_weight_also_where_that_share_cannot_be_had_exactly() {
        assertThat(override(Redirect.SPLIT, RedirectMode.SPLIT, 333_333).weights()).isEmpty();
        assertThat(override(MODULO, RedirectMode.MODULO, 333_333).weights()).isEmpty();
        assertThat(override(MODULO, RedirectMode.MODULO, 333_400).weights())
                .containsEntry("routing.shop.canary", 3_334).containsEntry("routing.shop.rest", 6_666);
    }

    @Test
    void where_the_endpoints_come_from_here_the_two_clusters_have_the_weight_of_the_fleets_and_others_keep_their_part() {
        Service service = new Service("shop", "edge", new EnvoyIntegration.EndpointsOnly("routing.shop", "shop", "sut",
                "peers", Map.of("shop", 60, "variant", 40), RedirectMode.SPLIT), Upstream.plain(Optional.empty()),
                List.of(instance(1), instance(2), instance(3), instance(4)));
        assertThat(override(service, 250_000).weights()).isEmpty();
        assertThat(override(service, 700_000).weights()).containsExactlyInAnyOrderEntriesOf(Map.of("routing.shop.shop",
                0, "routing.shop.sut", 700_000, "routing.shop.peers", 300_000, "routing.shop.variant", 666_667));
    }

    private static RuntimeOverride override(Service service, int ppm) {
        return RuntimeOverride.of(new DesiredRouting(service,
                new RouteLayout.SplitClusters(instance(2).address(), Redirect.SPLIT, 0, new Share(0)), List.of(),
                Optional.of(lease(instance(2), new Share(ppm), Redirect.SPLIT)), Optional.of(END))).orElseThrow();
    }
}
