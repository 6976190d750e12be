// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.state.AnalyzerSnapshot;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.AdviceAction;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionAnalyzerTest {

    private static final List<String> SERVICES = List.of("a", "b", "c");

    /** A call, and how many changes of the table and verdicts there were after it. */
    private record Called(Call call, int changes, List<Verdict> said) {}

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final List<String> parked = new ArrayList<>();

    @Test
    void the_same_calls_give_byte_equal_verdicts() {
        var calls = Calls.ofRunsOn(SERVICES, 60);

        var once = said(calls);
        var again = said(calls);

        assertThat(once).hasSizeGreaterThan(100);
        assertThat(again).extracting(Verdict::toByteArray)
                .containsExactlyElementsOf(once.stream().map(Verdict::toByteArray).toList());
    }

    @Test
    void a_verdict_names_the_redirectors_whose_proxies_report() throws InvalidProtocolBufferException {
        var calls = new ArrayList<Call>();
        for (var call : Calls.ofRunsOn(List.of("a"), 30)) {
            boolean observed = call.topic() == Topic.OBSERVATIONS && call.value() != null;
            String redirector = call.now().toEpochMilli() < Calls.start(15) ? "r1" : "r2";
            calls.add(observed
                    ? new Call(call.topic(), call.key(), Observation.parseFrom(call.value()).toBuilder()
                            .addRedirectors(redirector).build().toByteArray(), call.now())
                    : call);
        }

        assertThat(said(calls)).extracting(it -> List.copyOf(it.getRedirectorsList()))
                .startsWith(List.of("r1")).contains(List.of("r1", "r2")).endsWith(List.of("r2"));
    }

    @Test
    void a_takeover_at_any_moment_leads_to_the_same_verdicts() {
        var table = new RecordedTable();
        var undisturbed = new ArrayList<Called>();
        var first = analysis(table, publisher());
        for (var call : Calls.ofRunsOn(SERVICES, 60)) {
            var said = call.on(first);
            undisturbed.add(new Called(call, table.changes(), said));
        }
        var expected = bySequence(undisturbed.stream().flatMap(it -> it.said.stream()).toList());

        // Before a run nothing is stored.
        int begun = undisturbed.stream().filter(it -> it.call.now().toEpochMilli() > Calls.start(6)).findFirst()
                .orElseThrow().changes;

        for (int changes = begun; changes <= table.changes(); changes += 31) {
            int crash = changes;
            // What was called before the crash, and what of that is read again because it was not committed.
            int handled = (int) undisturbed.stream().takeWhile(it -> it.changes <= crash).count();
            var resumed = Math.max(0, handled - 10);
            var publisher = publisher();
            var second = analysis(table.after(crash), publisher);
            var said = new ArrayList<>(second.restore(undisturbed.get(resumed).call.now(), Duration.ZERO));
            undisturbed.subList(resumed, undisturbed.size()).forEach(it -> said.addAll(it.call.on(second)));

            var published = bySequence(
                    undisturbed.subList(0, handled).stream().flatMap(it -> it.said.stream()).toList());
            assertThat(bySequence(said)).as("after %s changes", crash).containsKeys(notPublished(undisturbed, crash))
                    .allSatisfy((key, verdict) -> {
                        assertThat(timeless(verdict)).isEqualTo(timeless(expected.get(key)));
                        assertThat(published.getOrDefault(key, verdict)).isEqualTo(verdict);
                    });
        }
    }

    @Test
    void a_takeover_reads_what_was_sent_before_and_judges_no_window_by_a_part_of_it() {
        var calls = Calls.ofRunsOn(List.of("a"), 20);
        var taken = Instant.ofEpochMilli(Calls.start(19) + 100);
        var table = KeyValueTable.inMemory();
        var first = analysis(table, publisher());
        int stopped = Calls.positionAfter(calls, Calls.start(17) + 10);
        calls.subList(0, stopped).forEach(call -> call.on(first));

        var second = analysis(table, publisher());
        second.restore(taken, Duration.ofSeconds(3));
        assertThat(second.tick(taken.plusMillis(1_500))).as("of window 16 it has the word on the SUT").isEmpty();
        var said = new ArrayList<Verdict>();
        calls.subList(stopped, calls.size()).stream().filter(call -> call.value() != null).forEach(call -> said.addAll(
                new Call(call.topic(), call.key(), call.value(), taken.plusMillis(1_700)).on(second)));

        assertThat(said).as("window 19 ended after the takeover, and its grace is over")
                .extracting(it -> it.getWindowStartMs(), it -> it.getJudgement())
                .containsExactly(tuple(Calls.start(16), Judgement.JUDGEMENT_HOLDS),
                        tuple(Calls.start(17), Judgement.JUDGEMENT_HOLDS),
                        tuple(Calls.start(18), Judgement.JUDGEMENT_HOLDS),
                        tuple(Calls.start(19), Judgement.JUDGEMENT_HOLDS));
        assertThat(second.tick(taken.plusMillis(2_999))).as("of window 20 there is nothing").isEmpty();
        assertThat(second.tick(taken.plusMillis(3_000))).singleElement().extracting(it -> it.getJudgement())
                .isEqualTo(Judgement.JUDGEMENT_INCONCLUSIVE);
    }

    @Test
    void what_is_lost_makes_the_window_inconclusive_and_never_healthy() {
        var calls = new ArrayList<>(Calls.ofRunsOn(List.of("a"), 30));
        var healthy = said(calls);
        calls.removeIf(call -> call.isNewcomersFirst());

        var said = said(calls);

        assertThat(healthy).extracting(it -> it.getJudgement())
                .endsWith(Judgement.JUDGEMENT_HOLDS, Judgement.JUDGEMENT_HOLDS);
        assertThat(said).hasSameSizeAs(healthy);
        assertThat(said).filteredOn(it -> it.getWindowStartMs() == Calls.start(Calls.NEWCOMER))
                .singleElement().satisfies(it -> assertThat(it.getJudgement())
                        .isEqualTo(Judgement.JUDGEMENT_INCONCLUSIVE));
    }

    @Test
    void a_state_of_another_version_is_parked_and_its_run_given_up() {
        var table = KeyValueTable.inMemory();
        var first = analysis(table, publisher());
        var calls = Calls.ofRunsOn(SERVICES, 40);
        calls.subList(0, calls.size() / 2).forEach(call -> call.on(first));
        byte[] state = Objects.requireNonNull(table.get("state/b"));
        state[3]++;

        var second = analysis(table, publisher());
        var said = new ArrayList<>(second.restore(calls.get(calls.size() / 2).now(), Duration.ZERO));
        said.clear();
        calls.subList(calls.size() / 2, calls.size()).forEach(call -> said.addAll(call.on(second)));

        assertThat(parked).singleElement().asString()
                .contains("b unreadable_state it has version " + (AnalyzerSnapshot.VERSION + 1)
                        + ", and this analyzer reads versions " + AnalyzerSnapshot.OLDEST_VERSION + " to "
                        + AnalyzerSnapshot.VERSION);
        assertThat(said).filteredOn(it -> it.getService().equals("b")).isNotEmpty().allSatisfy(
                it -> assertThat(it.getAdvice().getAction()).isEqualTo(AdviceAction.ADVICE_ACTION_GIVE_UP));
        assertThat(said).filteredOn(it -> !it.getService().equals("b")).isNotEmpty().noneSatisfy(
                it -> assertThat(it.getSequence()).as("goes on above all that can have been given")
                        .isGreaterThan(100));
    }

    @Test
    void nothing_is_stored_of_a_service_without_a_run_and_nothing_is_left_of_a_run_that_ended() {
        var table = new RecordedTable();
        var analysis = analysis(table, publisher());
        var now = Instant.ofEpochSecond(1_000);

        for (int i = 0; i < 10; i++) {
            analysis.record(Topic.OBSERVATIONS, Messages.SERVICE,
                    Messages.observation(Messages.SUT, i + 1, now.toEpochMilli(), 100, 10).build().toByteArray(),
                    now.plusSeconds(1));
            now = now.plusSeconds(1);
        }
        assertThat(table.changes()).isZero();

        Calls.ofRunsOn(SERVICES, 30).forEach(call -> call.on(analysis));
        SERVICES.forEach(service -> analysis.record(Topic.RUNS, service,
                Messages.run(RunPhase.RUN_PHASE_FINISHED, 1).setService(service).build().toByteArray(),
                Instant.ofEpochSecond(2_000)));
        assertThat(table.keys()).containsExactly("run/a", "run/b", "run/c");
    }

    @Test
    void requests_to_an_address_that_is_no_instance_of_the_service_are_counted_apart_also_after_a_takeover() {
        var analysis = analysis(KeyValueTable.inMemory(), publisher());
        var begin = Instant.ofEpochSecond(1_000);
        var run = Messages.run(RunPhase.RUN_PHASE_PREPARING, 1).addInstances(Messages.SUT).addInstances(Messages.PEER);
        record(analysis, Topic.RUNS, run.build().toByteArray(), begin);
        var said = new ArrayList<Verdict>();
        for (int second = 0; second < 6; second++) {
            if (second == 3) {
                record(analysis, Topic.RUNS, run.setEpoch(2).clearInstances().build().toByteArray(),
                        begin.plusSeconds(second));
            }
            var end = begin.plusSeconds(second + 1);
            long sequence = second * 3L;
            for (var observation : List.of(
                    Messages.observation(Messages.SUT, sequence + 1, end.toEpochMilli() - 1_000, 100, 10),
                    Messages.observation(Messages.PEER, sequence + 2, end.toEpochMilli() - 1_000, 300, 10),
                    Messages.observation("10.0.0.9:8080", sequence + 3, end.toEpochMilli() - 1_000, 200, 900))) {
                said.addAll(record(analysis, Topic.OBSERVATIONS, observation.build().toByteArray(), end));
            }
            said.addAll(analysis.tick(end.plusMillis(310)));
        }

        assertThat(said).extracting(it -> it.getEpoch()).contains(1L, 2L);
        assertThat(said).hasSize(6).allSatisfy(it -> {
            var verdict = it;
            assertThat(verdict.getElsewhereRequests()).isEqualTo(200);
            assertThat(verdict.getElsewhereList()).containsExactly("10.0.0.9:8080");
            assertThat(verdict.getSut().getSharePpm()).isEqualTo(250_000);
            assertThat(verdict.getSut().getShareRequests()).isEqualTo(400);
            assertThat(verdict.getPeers().getCompleted()).isEqualTo(300);
            assertThat(verdict.getPeers().getLatencyP99()).isLessThan(0.02);
            assertThat(verdict.getServiceRequestsPerSecond()).isCloseTo(400, within(1.0));
        });
    }

    private static List<Verdict> record(PartitionAnalyzer analysis, Topic topic, byte[] value, Instant now) {
        return analysis.record(topic, Messages.SERVICE, value, now);
    }

    @Test
    void the_state_of_a_run_is_small() {
        said(Calls.ofRunsOn(SERVICES, 120));

        assertThat(registry.get("redliner.analyzer.state").summary().max()).isLessThan(256 * 1_024);
    }

    /** Verdicts that were decided and not yet sent when the process died. */
    private static String[] notPublished(List<Called> undisturbed, int crash) {
        return undisturbed.stream().filter(it -> it.changes > crash).flatMap(it -> it.said.stream())
                .map(PartitionAnalyzerTest::key).toArray(String[]::new);
    }

    private static Map<String, Verdict> bySequence(List<Verdict> said) {
        var bySequence = new TreeMap<String, Verdict>();
        said.forEach(it -> {
            var other = Objects.requireNonNullElse(bySequence.put(key(it), it), it);
            assertThat(other.toByteArray()).as("said twice").isEqualTo(it.toByteArray());
        });
        return bySequence;
    }

    /** A verdict that had not been sent may be emitted at another time. */
    private static Verdict timeless(@Nullable Verdict verdict) {
        return Objects.requireNonNull(verdict).toBuilder().clearEmittedAtMs().build();
    }

    private static String key(Verdict said) {
        Verdict verdict = said;
        return verdict.getService() + " " + verdict.getEpoch() + " " + verdict.getSequence();
    }

    private List<Verdict> said(List<Call> calls) {
        var fresh = analysis(KeyValueTable.inMemory(), publisher());
        return calls.stream().flatMap(call -> call.on(fresh).stream()).toList();
    }

    /** One that loses what is published. */
    private static VerdictPublisher publisher() {
        return new VerdictPublisher(new ProducerAckTracker(), ProducerAckTracker.lane(0), "verdicts", said -> {});
    }

    private PartitionAnalyzer analysis(KeyValueTable table, VerdictPublisher publisher) {
        var metrics = new AnalyzerMetrics(registry);
        return new PartitionAnalyzer(
                () -> PartitionAnalyzer.service(Duration.ofMillis(300), SearchSettings.defaults()),
                new AnalyzerStateStore(table, publisher::unconfirmed, metrics::stateStored),
                (key, value, reason, words) -> parked.add(key + " " + reason.label() + " " + words), metrics);
    }
}
