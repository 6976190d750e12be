// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import io.redliner.redirector.lease.ServiceLeaseStatus.Standing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final LeaseMetrics metrics = new LeaseMetrics(registry);

    private static ServiceLeaseStatus natural(String service, String... nodes) {
        return new ServiceLeaseStatus(service, Optional.empty(), Optional.empty(),
                new Standing(ReportedLeaseState.NATURAL, new Share(250_000), ""), Instant.EPOCH,
                List.of(nodes).stream().map(node -> new ProxyState(node, "1", "1", false, "")).toList(),
                List.of(), KillSwitch.NEVER_ENGAGED);
    }

    private List<Double> proxies(String service) {
        return registry.find("redliner.proxies").tag("service", service).gauges().stream().map(Gauge::value).toList();
    }

    @Test
    void tells_how_many_proxies_a_service_has_by_the_newest_report() {
        metrics.reported(natural("shop"));
        metrics.reported(natural("blog", "a", "b"));
        metrics.reported(natural("shop", "c"));

        assertThat(proxies("shop")).containsExactly(1.0);
        assertThat(proxies("blog")).containsExactly(2.0);
    }

    @Test
    void says_nothing_any_more_of_a_service_that_is_gone_until_it_is_back() {
        metrics.reported(natural("shop", "a"));

        metrics.ended("shop");
        metrics.ended("never-there");

        assertThat(registry.getMeters()).isEmpty();
        metrics.reported(natural("shop", "a", "b"));
        assertThat(proxies("shop")).containsExactly(2.0);
    }
}
