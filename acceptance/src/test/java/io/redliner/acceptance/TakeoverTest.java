// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static io.redliner.acceptance.SharedStack.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.v1.Lease;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Promises 1 and 7: two controllers over one database and one broker, with the real redirector and a real proxy behind
 * them. What one of them drives, the other takes over, and the traffic never is where neither wants it.
 */
@Tag("fault")
class TakeoverTest {

    /** Of {@link LiveService}'s plan. */
    private static final double MAX_SHARE = 0.60;

    private static final Duration STEADY = Duration.ofSeconds(5);

    private static final AtomicInteger SERVICES = new AtomicInteger();

    @TempDir
    Path folder;

    @RegisterExtension
    final SharedStack shared = SharedStack.forFaults();

    private LiveService live;

    private ProxyWatch proxy;

    private ControllerProcess driver;

    private LeaseRecords records;

    @BeforeEach
    void start() throws Exception {
        records = new LeaseRecords(shared.stack().bootstrapServers());
        driver = ControllerProcess.start(shared.stack(), folder, LEASE);
        live = shared.serve(new LiveService("taken-over-" + SERVICES.incrementAndGet()));
        proxy = new ProxyWatch(shared.stack().proxyAdmin(), live.service().name(), live.instance());
    }

    @AfterEach
    void stop() throws Exception {
        driver.close();
        proxy.close();
        records.close();
    }

    private ApiClient other() {
        return shared.controller();
    }

    @Test
    void a_run_whose_controller_is_killed_goes_on_under_the_other_and_the_traffic_is_restored() throws Exception {
        String run = live.rampUp(driver.client());
        long epoch = epoch(run);
        assertThat(proxy.now()).as("share by the proxy itself").isGreaterThan(0.35);

        driver.kill();

        awaitTakenOver(run, epoch);
        int takenOverAt = proxy.looks();
        JsonNode ended = awaitEnded(run);
        assertThat(ended.path("outcome").asString()).as("of a run with time to itself: " + ended.path("stopReason"))
                .isIn("TRAFFIC_EXHAUSTED", "INCONCLUSIVE");
        assertThat(ended.path("restore").path("proof").asString()).as(ended.toString()).isEqualTo("MEASURED");
        assertThat(proxy.now()).as("share by the proxy itself").isEqualTo(ProxyWatch.NO_TEST);
        live.awaitNaturalWithin(LEASE);
        assertThat(proxy.since(takenOverAt)).as("the share by the proxy, under the other controller")
                .anyMatch(share -> share > 0.30).endsWith(ProxyWatch.NO_TEST);
        assertTakenOverInOrder(run, epoch, ended.path("epoch").asLong());
        live.assertServedAllTheWhile();
    }

    @Test
    void a_controller_that_stood_still_while_the_other_ended_its_run_moves_nothing_any_more() throws Exception {
        String run = live.rampUp(driver.client());
        long epoch = epoch(run);

        driver.hold();
        awaitTakenOver(run, epoch);
        other().abortRun(run, "its first controller stands still");
        JsonNode ended = awaitEnded(run);
        assertThat(ended.path("outcome").asString()).as(ended.path("stopReason").toString()).isEqualTo("ABORTED");
        live.awaitNaturalWithin(LEASE);
        int resumedAt = proxy.looks();
        int leases = leases(run).size();
        driver.letGo();
        await("the controller that stood still").ignoreExceptions()
                .until(() -> RunEnd.isOver(driver.client().get("/runs/" + run)));
        await().during(STEADY).atMost(STEADY.multipliedBy(2)).until(() -> proxy.now() == ProxyWatch.NO_TEST);

        assertThat(proxy.since(resumedAt)).as("the proxy, since the other one lives again").hasSizeGreaterThan(20)
                .containsOnly(ProxyWatch.NO_TEST);
        assertThat(leases(run).stream().skip(leases)).as("leases since then")
                .allMatch(lease -> lease.getReleased() && lease.getEpoch() == ended.path("epoch").asLong());
        assertThat(driver.client().get("/runs/" + run).path("outcome")).isEqualTo(ended.path("outcome"));
        live.awaitNaturalWithin(LEASE);
        assertTakenOverInOrder(run, epoch, ended.path("epoch").asLong());
        live.assertServedAllTheWhile();
    }

    private long epoch(String run) {
        return other().get("/runs/" + run).path("epoch").asLong();
    }

    private List<Lease> leases(String run) throws Exception {
        return records.of(run);
    }

    private void awaitTakenOver(String run, long epoch) {
        await("a higher epoch").atMost(LEASE.multipliedBy(3))
                .untilAsserted(() -> assertThat(epoch(run)).as(other().get("/runs/" + run).toString())
                        .isGreaterThan(epoch));
    }

    private JsonNode awaitEnded(String run) {
        return RunEnd.awaitOf(other(), run, Duration.ofMinutes(3));
    }

    private void assertTakenOverInOrder(String run, long before, long after) throws Exception {
        assertThat(proxy.since(0)).as("what the proxy ever gave").allMatch(share -> !(share > MAX_SHARE + 1e-6));
        List<Lease> leases = leases(run);
        assertThat(leases).as("leases").allMatch(lease -> lease.getSharePpm() <= MAX_SHARE * 1e6);
        assertThat(leases.stream().map(Lease::getEpoch)).as("epochs").isSorted().startsWith(before).endsWith(after);
        assertThat(leases.getLast().getReleased()).as("the last lease is a release").isTrue();
        Lease last = leases.stream().filter(lease -> lease.getEpoch() == before).toList().getLast();
        Lease first = leases.stream().filter(lease -> lease.getEpoch() > before).findFirst().orElseThrow();
        assertThat(Duration.ofMillis(first.getIssuedAtMs() - last.getIssuedAtMs())).as("without a lease")
                .isLessThan(LEASE);
        assertThat(first.getReleased()).as("it goes on").isFalse();
        List<Long> journal = journal(run);
        assertThat(journal).containsExactlyElementsOf(LongStream.rangeClosed(1, journal.size()).boxed().toList());
    }

    private List<Long> journal(String run) throws SQLException {
        List<Long> sequences = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(shared.stack().databaseUrl());
                PreparedStatement query = connection
                        .prepareStatement("SELECT sequence FROM journal WHERE run_id = ? ORDER BY sequence")) {
            query.setString(1, run);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    sequences.add(rows.getLong(1));
                }
            }
        }
        return sequences;
    }
}
