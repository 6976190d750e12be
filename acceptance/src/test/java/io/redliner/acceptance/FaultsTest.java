// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * One thing after the other is broken under a run in containers. {@code .ci/containers} starts them, and these tests;
 * the table that they leave in {@code target/faults.md} is the one of docs/operations.
 */
@Tag("containers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsTest {

    private static final Duration LEASE = Duration.ofSeconds(5);

    /** What it takes to break something, and to see what the proxy does. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final List<String> ROOMS = List.of("controller", "redirector", "collector", "analyzer");

    private static final List<String> BROKERS = List.of("kafka", "kafka-2", "kafka-3");

    private static final int BROKER_PORT = 9092;

    /** The node of {@code quorum-1}. */
    private static final int FIRST_OF_QUORUM = 11;

    private static final int XDS_PORT = 18000;

    private static final Duration CUT = Duration.ofSeconds(20);

    private static final int ATTEMPTS = 3;

    private static final Path TABLE = Path.of("target", "faults.md");

    private ReplicatedStack stack;

    /** When something was broken, by {@link System#nanoTime()}. */
    private final List<Long> breaks = new ArrayList<>();

    private final List<String> table = new ArrayList<>(
            List.of("| what | the run | longest time without a verdict | traffic natural | users' requests that failed |",
                    "|---|---|---|---|---|"));

    @BeforeAll
    void find() throws IOException {
        Container.requireEngine();
        stack = new ReplicatedStack(System.getProperty("redliner.compose.project", "redliner-ci"),
                Path.of(requireNonNull(System.getProperty("redliner.compose.token"), "a file with the token")));
        stack.quiet();
    }

    @AfterAll
    void close() {
        if (stack != null) {
            stack.close();
        }
    }

    /** Rows that there are are there, whatever ends the next one. */
    private void row(String text) throws IOException {
        table.add(text);
        Files.createDirectories(TABLE.getParent());
        Files.write(TABLE, table);
    }

    /** Something that is done to the containers while a run has a raised share. */
    @FunctionalInterface
    private interface Fault {

        void happen() throws IOException, InterruptedException;
    }

    /**
     * What a fault did to a run that is over.
     *
     * @param natural from what was broken last to the moment in which the share was not raised any more; 0 if it always was
     * @param withoutAnswer from the last verdict with an answer to that moment; 0 if there was none
     * @param withoutLease from the last lease with a raised share to that moment; 0 if there was none
     */
    private record Effect(JsonNode run, List<JsonNode> journal, boolean wentOn, Duration natural,
            Duration withoutAnswer, Duration withoutLease, ReplicatedStack.Served served) {

        String reason() {
            return run.path("stopReason").path("code").asString();
        }
    }

    @Test
    @Order(1)
    void a_rolling_restart_of_all_rooms_loses_no_run() throws Exception {
        goesOn("every room is stopped (SIGTERM) and started, one process after the other", ATTEMPTS, () -> {
            for (String room : ROOMS) {
                inTurn(room, Container::stop);
            }
        });
    }

    @ParameterizedTest
    @Order(2)
    @ValueSource(strings = {"controller", "redirector", "collector"})
    void a_run_outlives_the_death_of_any_process(String room) throws Exception {
        goesOn("each " + room + " is killed (SIGKILL) and started, one after the other", ATTEMPTS,
                () -> inTurn(room, Container::kill));
    }

    /** Whether the run goes on depends on which of them judges the service: another one needs some seconds to go on there. */
    @Test
    @Order(2)
    void the_death_of_an_analyzer_does_no_harm() throws Exception {
        suffered("each analyzer is killed (SIGKILL) and started, one after the other", 1,
                () -> inTurn("analyzer", Container::kill));
    }

    private void inTurn(String room, Consumer<Container> ending) {
        for (Container container : stack.all(room)) {
            breaks();
            ending.accept(container);
            container.start();
        }
    }

    @Test
    @Order(3)
    void a_run_outlives_a_broker_of_three() throws Exception {
        goesOn("a broker of three is killed, and started 10 s later", ATTEMPTS, () -> killForAWhile("kafka-2"));
    }

    @Test
    @Order(3)
    void a_run_outlives_the_leader_of_the_brokers_quorum() throws Exception {
        goesOn("the leader of the brokers' quorum is killed, and started 10 s later", ATTEMPTS,
                () -> killForAWhile("quorum-" + (quorumLeader() - FIRST_OF_QUORUM + 1)));
    }

    private void killForAWhile(String service) {
        Container container = stack.the(service);
        container.kill();
        standing(Duration.ofSeconds(10));
        container.start();
    }

    private int quorumLeader() throws InterruptedException {
        String addresses = BROKERS.stream().map(broker -> stack.the(broker).address() + ":" + BROKER_PORT)
                .collect(Collectors.joining(","));
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, addresses))) {
            return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
        } catch (ExecutionException e) {
            throw new AssertionError("nobody says who leads the quorum", e);
        }
    }

    @Test
    @Order(4)
    void collectors_without_brokers_leave_the_traffic_natural() throws Exception {
        ends("the network between collectors and brokers is cut for 20 s", () -> cut(this::filterBrokers));
    }

    @Test
    @Order(5)
    void a_proxy_that_no_redirector_reaches_becomes_natural_by_itself() throws Exception {
        ends("the proxy is cut off from the redirectors for 20 s", () -> cut(this::filterRedirectors));
    }

    /** Last, for there is no standby any more afterwards. */
    @Test
    @Order(6)
    void a_run_outlives_a_failover_of_the_database() throws Exception {
        goesOn("PostgreSQL is killed, its standby promoted", 1, () -> {
            stack.the("postgres").kill();
            stack.the("postgres-standby").execute("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups",
                    "pg_ctl", "promote", "--pgdata", "/var/lib/postgresql/18/docker");
            standing(Duration.ofSeconds(10));
        });
    }

    /** What is done to packets from one container to another one's port. */
    @FunctionalInterface
    private interface Filter {

        void apply(Container from, Container to, int port);
    }

    private static void cut(Consumer<Filter> network) {
        network.accept(Container::cutOff);
        try {
            standing(CUT);
        } finally {
            network.accept(Container::rejoin);
        }
    }

    private void filterBrokers(Filter filter) {
        for (Container collector : stack.all("collector")) {
            for (String broker : BROKERS) {
                filter.apply(collector, stack.the(broker), BROKER_PORT);
            }
        }
    }

    private void filterRedirectors(Filter filter) {
        for (Container redirector : stack.all("redirector")) {
            filter.apply(stack.the("envoy"), redirector, XDS_PORT);
        }
    }

    /** A fault that is part of what is tested lasts so long. */
    private static void standing(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        await().atMost(time.multipliedBy(2)).until(() -> System.nanoTime() >= until);
    }

    /** Asserts that a run lives through a fault with its share; a machine that is too busy for that may try again. */
    private void goesOn(String what, int attempts, Fault fault) throws Exception {
        Effect effect = suffered(what, attempts, fault);
        assertThat(effect.wentOn()).as(effect.run().path("stopReason").toString()).isTrue();
    }

    /** Enters what the last of some attempts came to, which is the first that a run lives through. Each of them does no harm. */
    private Effect suffered(String what, int attempts, Fault fault) throws Exception {
        Effect effect = harmless(what, fault);
        for (int spare = attempts - 1; spare > 0 && !effect.wentOn(); spare--) {
            effect = harmless(what, fault);
        }
        enter(what, effect);
        return effect;
    }

    /** Asserts that a fault does no harm, whether the run ends by it or goes on. */
    private Effect harmless(String what, Fault fault) throws Exception {
        Effect effect = suffer(fault);
        assertHarmless(effect);
        if (!effect.wentOn()) {
            assertNaturalInTime(effect);
            System.out.println("faults: " + what + ": ended: " + effect.run().path("stopReason"));
        }
        return effect;
    }

    /**
     * What breaks is missed by its verdicts, which come for a while yet, or by its leases: until they are missed others are sent,
     * and each that arrives holds for its time.
     */
    private static void assertNaturalInTime(Effect effect) {
        assertThat(effect.natural()).isPositive();
        Duration after = switch (effect.reason()) {
            case "TelemetryLost" -> effect.withoutAnswer();
            case "LeaseNotAcknowledged", "NotDelivered" -> effect.withoutLease();
            default -> effect.natural();
        };
        assertThat(after).as(effect.run().path("stopReason").toString()).isPositive()
                .isLessThanOrEqualTo(LEASE.plus(LOOK));
    }

    /** Asserts that a run ends by a fault, and that the traffic is natural within the lease's time. */
    private void ends(String what, Fault fault) throws Exception {
        assertThat(suffered(what, 1, fault).wentOn()).as(what).isFalse();
    }

    private void enter(String what, Effect effect) throws IOException {
        String outcome = effect.wentOn()
                ? "goes on"
                : "ends `" + effect.run().path("outcome").asString() + "`, `"
                        + effect.reason() + "`";
        row(String.format(Locale.ROOT, "| %s | %s | %s | %s | %d of %d |", what, outcome,
                effect.wentOn()
                        ? String.format(Locale.ROOT, "%.1f s",
                                ReplicatedStack.longestStall(effect.journal()).toMillis() / 1000.0)
                        : "",
                effect.natural().isZero()
                        ? "never had to be"
                        : String.format(Locale.ROOT, "after %.1f s, %.1f s after the last verdict%s",
                                effect.natural().toMillis() / 1000.0, effect.withoutAnswer().toMillis() / 1000.0,
                                effect.wentOn() ? ", and raised again" : ""),
                effect.served().failed(), effect.served().requests()));
    }

    /** The promises that hold whatever happens. */
    private static void assertHarmless(Effect effect) {
        String reason = effect.run().path("stopReason").toString();
        assertThat(effect.journal()).as("the journal of %s", effect.run().path("id")).isNotEmpty();
        for (int i = 0; i < effect.journal().size(); i++) {
            assertThat(effect.journal().get(i).path("sequence").asInt()).isEqualTo(i + 1);
        }
        assertThat(effect.run().path("restore").path("proof").asString()).as(reason).isIn("MEASURED", "ACKNOWLEDGED",
                "MEASURED_AFTER_EXPIRY", "BY_EXPIRY");
        assertThat(effect.served().failed()).as("requests that failed, of %s", effect.served().requests())
                .isLessThanOrEqualTo(effect.served().requests() / 1000);
    }

    /** Lets something happen under a run with a raised share that is judged, and waits until the run is over, by itself or by the user. */
    private Effect suffer(Fault fault) throws Exception {
        String run = stack.raise();
        ReplicatedStack.Served before = stack.served();
        long begin = System.nanoTime();
        OptionalLong lowered;
        boolean wentOn;
        try {
            breaks();
            fault.happen();
            // What a process leaves behind when it ends is seen after another one is there only.
            stack.awaitJudged(run);
            lowered = stack.lowered(begin);
            wentOn = lowered.isPresent() ? stack.isRaised(run) : !stack.isOver(run);
        } finally {
            stack.abort(run);
        }
        await("the end of run " + run).pollInterval(Duration.ofMillis(500))
                .until(() -> stack.isOver(run));
        long over = System.nanoTime();
        await("a look at the proxy").atMost(LEASE).until(() -> stack.watch().lastAnswer() > over);
        assertThat(stack.watch().now()).as("the share by the proxy itself, after the run")
                .isEqualTo(ProxyWatch.NO_TEST);
        OptionalLong natural = wentOn ? lowered : stack.watch().naturalSince(begin);
        List<JsonNode> journal = stack.journal(run);
        return new Effect(stack.get("/runs/" + run), journal, wentOn,
                natural.isPresent() ? sinceLastBreak(natural.getAsLong()) : Duration.ZERO,
                natural.isPresent() ? stack.withoutAnswer(journal, natural.getAsLong()) : Duration.ZERO,
                natural.isPresent() ? stack.withoutLease(journal, natural.getAsLong()) : Duration.ZERO,
                stack.served().since(before));
    }

    /** Something breaks now. */
    private void breaks() {
        breaks.add(System.nanoTime());
    }

    private Duration sinceLastBreak(long nanoTime) {
        return Duration.ofNanos(nanoTime - breaks.stream().filter(moment -> moment <= nanoTime).toList().getLast());
    }
}
