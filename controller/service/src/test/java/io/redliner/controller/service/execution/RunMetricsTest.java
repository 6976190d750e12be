// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.Simulation;
import io.redliner.controller.service.persistence.CapacityRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Gauges of what is there; whatever goes takes its gauges with it. */
class RunMetricsTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private final ServiceCatalog catalog = new ServiceCatalog(() -> now, Duration.ofSeconds(3));

    private final RunMetrics metrics = new RunMetrics(meters, catalog);

    private void reported(String service, String... instances) {
        catalog.update(new ServiceReport(service,
                new RedirectorReport("r1", "", 1, 1, ReportedLeaseState.NATURAL, "", List.of()),
                Stream.of(instances).map(address -> new KnownInstance(address, new Share(500_000))).toList(), 0, null,
                null),
                null);
    }

    private static CapacityRecord capacity(String service, String instance) {
        return new CapacityRecord("run", service, instance, 400, 390, 410, false, "latency", null, null, null, null, 0,
                Duration.ofMinutes(5), "plan", "hash", START, null, null);
    }

    private Stream<String> tags(String gauge, String tag) {
        return meters.find(gauge).gauges().stream().map(Meter::getId).map(id -> id.getTag(tag)).sorted();
    }

    @Test
    void a_capacity_is_exported_for_an_instance_that_is_there() {
        metrics.restoreCapacity(capacity("shop", "10.0.0.1:80"));
        metrics.restoreCapacity(capacity("shop", "10.0.0.2:80"));
        metrics.restoreCapacity(capacity("gone", "10.0.0.3:80"));
        reported("shop", "10.0.0.1:80", "10.0.0.9:80");

        metrics.refreshGauges();
        assertThat(tags("redliner.capacity.requests.per.second", "instance")).containsExactly("10.0.0.1:80");
        assertThat(meters.get("redliner.capacity.requests.per.second").gauge().value()).isEqualTo(400);

        now = now.plusSeconds(1);
        reported("shop", "10.0.0.2:80");
        metrics.refreshGauges();
        assertThat(tags("redliner.capacity.requests.per.second", "instance")).containsExactly("10.0.0.2:80");
    }

    @Test
    void a_lower_bound_is_exported_as_the_lower_end_of_its_interval() {
        metrics.restoreCapacity(new CapacityRecord("run", "shop", "10.0.0.1:80", 400, 390, 0, true, "", null, null,
                null, null, 0, Duration.ofMinutes(5), "plan", "hash", START, null, null));
        reported("shop", "10.0.0.1:80");

        metrics.refreshGauges();

        assertThat(meters.get("redliner.capacity.requests.per.second").gauge().value()).isEqualTo(390);
    }

    @Test
    void metrics_of_a_service_go_with_it_when_no_run_is_live() {
        List<Simulation.Entry> run = new Simulation(2).run();
        reported("service", "10.0.0.1:80");
        RunState before = run.getFirst().before();
        int mostRules = 0;
        for (Simulation.Entry entry : run) {
            metrics.decided(before, entry.event(), entry.decision());
            before = entry.decision().state();
            mostRules = Math.max(mostRules, meters.find("redliner.sla.value").gauges().size());
        }
        metrics.refreshGauges();
        assertThat(tags("redliner.run.phase", "service")).isNotEmpty();
        assertThat(mostRules).as("gauges of rules during the run").isPositive();
        assertThat(meters.find("redliner.sla.value").gauges()).as("the next run may have other rules").isEmpty();

        catalog.forget(now.plusSeconds(60), Set.of());
        metrics.refreshGauges();

        for (String gauge : List.of("redliner.run.phase", "redliner.share.ratio", "redliner.sut.requests.per.second",
                "redliner.sla.value", "redliner.sla.threshold")) {
            assertThat(meters.find(gauge).gauges()).as(gauge).isEmpty();
        }
        assertThat(meters.find("redliner.runs").counters()).isNotEmpty();
    }

    @Test
    void a_live_run_has_metrics_although_no_redirector_reports_its_service() {
        List<Simulation.Entry> run = new Simulation(2).run();
        RunDecision first = run.getFirst().decision();
        metrics.decided(run.getFirst().before(), new RunEvent.Submitted(List.of("r1")), first);

        metrics.refreshGauges();

        assertThat(meters.find("redliner.run.phase").gauges()).isNotEmpty();
    }
}
