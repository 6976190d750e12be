// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.AnalyzerApplication;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.contract.v1.Verdict;
import io.redliner.testkit.TestKit;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two analyzers on a real broker. */
@Tag("fault")
class FailoverTest {

    private static final Logger log = LoggerFactory.getLogger(FailoverTest.class);

    /** Some 2 s are usual; a machine that builds other things as well takes longer. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(15);

    private static final String GROUP = "redliner-analyzer";

    /** Of the run when it is watched; its preparation is an epoch of its own. */
    private static final long EPOCH = 2;

    private final Clock clock = Clock.systemUTC();

    @TempDir
    private Path folder;

    @Test
    void runs_go_on_where_services_move_to_and_each_window_has_one_verdict() throws Exception {
        try (var kafka = TestKit.broker();
                var fleet = new LiveFleet(kafka.bootstrapServers(), 12, clock);
                var admin = fromTheFirstObservation(kafka.bootstrapServers(), fleet.partitions());
                var survivor = AnalyzerApplication.builder().run(AnalyzerProcess.arguments(folder.resolve("survivor"),
                        kafka.bootstrapServers()).toArray(String[]::new))) {
            assertThat(survivor.isRunning()).isTrue();
            until(fleet, () -> owners(admin).size() == 1);
            fleet.announce(RunPhase.RUN_PHASE_PREPARING, 1);
            until(fleet, fleet::warm);
            fleet.announce(RunPhase.RUN_PHASE_BASELINE, EPOCH);
            live(fleet, Duration.ofSeconds(1));

            try (var victim = AnalyzerProcess.start(folder.resolve("victim"), kafka.bootstrapServers())) {
                until(fleet, () -> owners(admin).size() == 2);
                live(fleet, Duration.ofSeconds(2));
                victim.kill();
            }
            var killed = clock.instant();
            until(fleet, () -> owners(admin).size() == 1);
            live(fleet, Duration.ofSeconds(4));

            var longestSilence = longestSilence(fleet, killed);
            log.info("The longest silence after the kill was {}", longestSilence);
            assertThat(longestSilence).isLessThan(MAX_SILENCE);
            for (var service : fleet.services()) {
                assertUndisturbed(fleet, service);
            }
        }
    }

    /** Who begins with the newest one may begin in the middle of a window, and take half of the traffic for all. */
    private static Admin fromTheFirstObservation(String bootstrapServers, int partitions) throws Exception {
        var admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        admin.alterConsumerGroupOffsets(GROUP, IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(TopicNames.DEFAULT.name(Topic.OBSERVATIONS), partition))
                .collect(Collectors.toMap(partition -> partition, partition -> new OffsetAndMetadata(0)))).all().get();
        return admin;
    }

    private static void assertUndisturbed(LiveFleet fleet, String service) throws Exception {
        var said = new TreeMap<Long, Verdict>();
        fleet.received.stream().map(LiveFleet.ReceivedVerdict::verdict)
                .filter(verdict -> verdict.getService().equals(service) && verdict.getEpoch() == EPOCH)
                .forEach(verdict -> assertThat(said.merge(verdict.getSequence(), verdict, (known, again) -> known))
                        .as("said again").isEqualTo(verdict));
        assertThat(said.firstKey()).isEqualTo(1);
        assertThat(said.lastKey()).as("no number is left out").isEqualTo(said.size());
        assertThat(said.values()).extracting(Verdict::getWindowStartMs).doesNotHaveDuplicates().isSorted();
        assertThat(said.values()).as("windows of %s that do not hold", service)
                .filteredOn(verdict -> verdict.getJudgement() != Judgement.JUDGEMENT_HOLDS)
                .extracting(verdict -> verdict.getSequence() + " after "
                        + (verdict.getEmittedAtMs() - verdict.getWindowStartMs()) + " ms with "
                        + verdict.getSut().getCompleted() + " and " + verdict.getPeers().getCompleted()
                        + " requests: " + verdict.getAdvice().getReason())
                .isEmpty();
        assertThat(said.values()).as(service).noneSatisfy(
                verdict -> assertThat(verdict.getAdvice().getReason()).contains("lost its place"));

        var expected = undisturbed(fleet, service, said.firstEntry().getValue().getWindowStartMs());
        said.forEach((sequence, verdict) -> assertThat(timeless(verdict)).as("%s %s", service, sequence)
                .isEqualTo(timeless(expected.get(sequence.intValue() - 1))));
    }

    /** What one analyzer says to which nothing happens. Its baseline begins with the window with which it really began. */
    private static List<Verdict> undisturbed(LiveFleet fleet, String service, long firstWindowMillis)
            throws Exception {
        var analysis = PartitionAnalyzer.of(AnalyzerProcess.GRACE, SearchSettings.defaults(),
                new AnalyzerMetrics(new SimpleMeterRegistry()));
        var said = new ArrayList<Verdict>();
        boolean announced = false;
        for (var call : fleet.sent) {
            boolean run = call.topic() == Topic.RUNS;
            if (!call.key().equals(service) || (run && RunSpec.parseFrom(call.value()).getEpoch() == EPOCH)) {
                continue;
            }
            if (!run && !announced && Observation.parseFrom(call.value()).getWindowStartMs() >= firstWindowMillis) {
                var baseline = LiveFleet.run(service, RunPhase.RUN_PHASE_BASELINE, EPOCH);
                said.addAll(new Call(Topic.RUNS, service, baseline,
                        Instant.ofEpochMilli(firstWindowMillis)).on(analysis));
                announced = true;
            }
            said.addAll(call.on(analysis));
        }
        return said.stream().filter(verdict -> verdict.getEpoch() == EPOCH).toList();
    }

    private static Verdict timeless(Verdict verdict) {
        return verdict.toBuilder().clearEmittedAtMs().build();
    }

    /** Of any service, between two verdicts that were received after that. */
    private static Duration longestSilence(LiveFleet fleet, Instant since) {
        long longest = 0;
        for (var service : fleet.services()) {
            long last = since.toEpochMilli();
            for (var received : fleet.received) {
                if (received.verdict().getService().equals(service) && received.receivedAtMillis() > last) {
                    longest = Math.max(longest, received.receivedAtMillis() - last);
                    last = received.receivedAtMillis();
                }
            }
        }
        return Duration.ofMillis(longest);
    }

    /** The analyzers that have work, once all of it is given out; none before. */
    private static List<String> owners(Admin admin) throws Exception {
        var group = admin.describeConsumerGroups(List.of(GROUP)).all().get().get(GROUP);
        if (group == null) {
            return List.of();
        }
        long assigned = group.members().stream().flatMap(member -> member.assignment().topicPartitions().stream())
                .filter(partition -> partition.topic().equals(TopicNames.DEFAULT.name(Topic.OBSERVATIONS))).count();
        return assigned < 4
                ? List.of()
                : group.members().stream()
                        .filter(member -> member.assignment().topicPartitions().stream()
                                .anyMatch(partition -> partition.topic()
                                        .equals(TopicNames.DEFAULT.name(Topic.OBSERVATIONS))))
                        .map(member -> member.consumerId()).toList();
    }

    private void live(LiveFleet fleet, Duration time) {
        var end = clock.instant().plus(time);
        until(fleet, () -> !clock.instant().isBefore(end));
    }

    private static void until(LiveFleet fleet, Callable<Boolean> reached) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    fleet.live();
                    return reached.call();
                });
    }
}
