// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.Lease;
import io.redliner.controller.core.catalog.ServiceCatalog;
import io.redliner.controller.core.port.InMemoryRunRepository;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.scene.VirtualTime;
import io.redliner.controller.service.kafka.InMemoryBus;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;

/** Ten runs whose repository is away for a while, in virtual time and in memory. AwayDatabaseTest does it with PostgreSQL. */
@SequentialTests
class DatabaseOutageTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration LEASE = RunTimeouts.DEFAULT.leaseTtl();

    private final VirtualTime time = new VirtualTime(START);

    private final InMemoryBus bus = new InMemoryBus();

    private final InMemoryRunRepository repository = new InMemoryRunRepository();

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final RunExecutor driver = driver();

    private final List<FakeDataPlane> planes = new ArrayList<>();

    private final List<String> ids = new ArrayList<>();

    private RunExecutor driver() {
        ServiceCatalog catalog = new ServiceCatalog(time, RunTimeouts.DEFAULT.redirectorSilence());
        CommandDispatcher dispatcher = new CommandDispatcher(bus.publisher(), service -> List.of(),
                new FinalRecordTracker(repository, time)::delivered);
        RunMetrics metrics = new RunMetrics(new SimpleMeterRegistry(), catalog);
        DatabaseCircuitBreaker outage = new DatabaseCircuitBreaker(time);
        RunTakeover recovery = new RunTakeover(repository, reader, catalog, dispatcher);
        return new RunExecutor(catalog,
                () -> new DecisionPipeline(repository, dispatcher, metrics, new RunChangeNotifier(), outage, time),
                recovery, 2, Duration.ofMillis(250), time, time.ticker());
    }

    @BeforeEach
    void startTenRuns() throws Exception {
        bus.source(driver).start();
        driver.start();
        for (int number = 1; number <= 10; number++) {
            FakeDataPlane plane = new FakeDataPlane(bus, time, "shop-" + number);
            plane.holdingAt = 1.2 * FakeDataPlane.SERVICE_RATE * FakeDataPlane.NATURAL_PPM / 1e6;
            planes.add(plane);
        }
        time.advance(Duration.ofSeconds(1));
        for (FakeDataPlane plane : planes) {
            StoredRun run = registered(plane.service());
            driver.begin(run, RunRules.NONE, List.of("redirector-1"));
            ids.add(run.id());
        }
        time.until(() -> planes.stream().allMatch(DatabaseOutageTest::raised));
    }

    @AfterEach
    void close() throws InterruptedException {
        for (FakeDataPlane plane : planes) {
            plane.close();
        }
    }

    private StoredRun registered(String service) throws Exception {
        String id = "run-of-" + service;
        String plan = new PlanWriter().write(reader.read(Scene.plan(service, service)));
        RunBounds bounds = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.5, Duration.ofMillis(100));
        RunOrder order = new RunOrder(new CanonicalPlan(service, "hash", plan), null, "default", 0,
                new RunFacts(id, service,
                        "10.0.0.1:8080", 0, new Share(FakeDataPlane.NATURAL_PPM), bounds, RunTimeouts.DEFAULT,
                        time.instant()),
                List.of());
        return repository.register(order, null, "body");
    }

    private static boolean raised(FakeDataPlane plane) {
        return !plane.leases().isEmpty() && plane.newestLease().getSharePpm() > 1.15 * FakeDataPlane.NATURAL_PPM;
    }

    private RunState state(String id) {
        return repository.find(id).orElseThrow().state();
    }

    @Test
    void nothing_that_cannot_be_stored_is_sent_and_every_run_ends_truthfully_when_the_repository_is_back() {
        repository.failWith(new DataAccessResourceFailureException("away"));
        Instant gone = time.instant();
        time.advance(LEASE.multipliedBy(6));

        for (FakeDataPlane plane : planes) {
            assertThat(plane.newestLease().getExpiresAtMs()).as("what is not stored is not renewed")
                    .isLessThanOrEqualTo(gone.plus(LEASE).toEpochMilli());
            assertThat(plane.natural()).isTrue();
        }
        assertThat(ids).allMatch(driver::drives);
        Instant back = time.instant();
        repository.failWith(null);
        time.until(() -> ids.stream().allMatch(id -> state(id) instanceof RunState.Finished));

        for (String id : ids) {
            assertThat(((RunState.Finished) state(id)).ending().reason().code()).isEqualTo(StopCode.LEASE_LOST);
            assertThat(repository.journal(id)).extracting(made -> made.before().version() + 1)
                    .isEqualTo(repository.journal(id).stream().map(made -> made.after().version()).toList());
        }
        for (int number = 0; number < planes.size(); number++) {
            assertThat(planes.get(number).leases()).filteredOn(lease -> lease.getIssuedAtMs() > back.toEpochMilli())
                    .allMatch(lease -> lease.getReleased() || lease.getSharePpm() <= FakeDataPlane.NATURAL_PPM);
            assertThat(planes.get(number).leases()).extracting(Lease::getSequence)
                    .isSubsetOf(journaled(ids.get(number)));
        }
    }

    /** The repository is back when an abort waits to be stored, and a verdict or the time may be the first to be decided. */
    @ParameterizedTest
    @ValueSource(longs = {100, 400, 700, 1_000, 1_300, 1_600, 1_900})
    void nothing_is_decided_before_an_abort_that_waits_to_be_stored(long millis) {
        repository.failWith(new DataAccessResourceFailureException("away"));
        for (String id : ids) {
            assertThat(driver.submit(id, new RunEvent.AbortRequested("enough"), () -> {})).isTrue();
        }
        time.advance(Duration.ofMillis(millis));
        repository.failWith(null);
        Instant back = time.instant();

        time.until(() -> ids.stream().allMatch(id -> state(id) instanceof RunState.Finished));

        for (String id : ids) {
            assertThat(((RunState.Finished) state(id)).ending().reason().code()).isEqualTo(StopCode.ABORT_REQUESTED);
        }
        for (FakeDataPlane plane : planes) {
            assertThat(plane.leases()).filteredOn(lease -> lease.getIssuedAtMs() >= back.toEpochMilli()).isNotEmpty()
                    .allMatch(Lease::getReleased);
        }
    }

    private List<Long> journaled(String id) {
        return repository.journal(id).stream().flatMap(made -> made.decision().commands().stream())
                .filter(RunCommand.SendLease.class::isInstance)
                .map(command -> ((RunCommand.SendLease) command).lease().sequence())
                .toList();
    }
}
