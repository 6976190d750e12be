// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.GatedState;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchPhaseState;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.search.SimulatedRun;
import io.redliner.analyzer.state.AnalyzerSnapshot;
import io.redliner.analyzer.state.SnapshotCodec;
import io.redliner.contract.v1.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What analyzers of earlier builds stored of a live run. A change of any stored record that breaks this test would end all
 * live runs at an upgrade: raise {@link AnalyzerSnapshot#VERSION}, and from a released version on let {@link AnalyzerSnapshot} bring the old
 * form into the new one.
 */
class GoldenStateTest {

    private static final String TABLE = "analysis";

    private static final String SEARCHES = "searches";

    /** In the baseline. */
    private static final int STORED_AT = 12;

    private static final List<SimulatedRun.Moment> MOMENTS = SimulatedRun.besidePeers(1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private final List<Call> calls = Calls.ofRunsOn(List.of("a"), 60);

    private PartitionAnalyzer over(Map<String, byte[]> table) {
        return PartitionAnalyzer.over(table, Duration.ofMillis(500), SearchSettings.defaults(),
                new AnalyzerMetrics(registry));
    }

    private static IntStream versions() {
        return IntStream.rangeClosed(AnalyzerSnapshot.OLDEST_VERSION, AnalyzerSnapshot.VERSION);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_run_goes_on_from_the_state_that_an_earlier_build_stored(int version) throws IOException {
        int stored = Calls.positionAfter(calls, Calls.start(STORED_AT));
        var analysis = over(golden(TABLE, version, () -> {
            var table = new TreeMap<String, byte[]>();
            var earlier = over(table);
            calls.subList(0, stored).forEach(call -> call.on(earlier));
            return table;
        }));

        var said = new ArrayList<>(analysis.restore(calls.get(stored).now(), Duration.ZERO));
        calls.subList(stored, calls.size()).forEach(call -> said.addAll(call.on(analysis)));

        assertThat(registry.get("redliner.analyzer.takeovers").tag("result", "resumed").counter().count()).isOne();
        assertThat(bySequence(said)).hasSizeGreaterThan(10).isEqualTo(undisturbed(said.getFirst()));
    }

    private Map<Long, io.redliner.contract.v1.Advice> undisturbed(Verdict first) {
        var analysis = over(new TreeMap<>());
        return bySequence(calls.stream().flatMap(call -> call.on(analysis).stream())
                .filter(it -> it.getSequence() >= first.getSequence()).toList());
    }

    private static Map<Long, io.redliner.contract.v1.Advice> bySequence(List<Verdict> said) {
        return said.stream()
                .collect(Collectors.toMap(Verdict::getSequence, Verdict::getAdvice,
                        (one, again) -> one, TreeMap::new));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_search_goes_on_from_each_kind_of_state_that_an_earlier_build_stored(int version) throws Exception {
        var kinds = Map.of("Ramping", SearchPhaseState.Ramping.class, "Confirming", SearchPhaseState.Confirming.class,
                "Draining", SearchPhaseState.Draining.class);
        var stored = golden(SEARCHES, version, () -> kinds.entrySet().stream().collect(Collectors.toMap(
                Map.Entry::getKey,
                kind -> SnapshotCodec.write(ResumedSearchTest.of(MOMENTS.stream().map(SimulatedRun.Moment::state)
                        .filter(state -> kind.getValue().isInstance(inner(state))).findFirst().orElseThrow())))));

        for (var kind : kinds.entrySet()) {
            var state = SnapshotCodec.state(requireNonNull(stored.get(kind.getKey()))).run().search();
            assertThat(inner(state)).isInstanceOf(kind.getValue());
            var next = new NoiseGate(SearchSettings.defaults()).advise(state, MOMENTS.getLast().window());
            assertThat(next.advice().action()).isNotEqualTo(SearchAdvice.Action.GIVE_UP);
        }
    }

    private static SearchState inner(SearchState state) {
        return state instanceof GatedState gated ? gated.search() : state;
    }

    /** A line for each key: the key, and the value in Base64. */
    private static Map<String, byte[]> golden(String name, int version, Supplier<Map<String, byte[]>> ofThisBuild)
            throws IOException {
        String golden = name + "-v" + version + ".txt";
        try (InputStream file = GoldenStateTest.class.getResourceAsStream("golden/" + golden)) {
            if (file == null && version < AnalyzerSnapshot.VERSION) {
                throw new AssertionError("There is no golden/" + golden + ", which only a build of its time can write");
            }
            if (file == null) {
                var lines = new TreeMap<>(ofThisBuild.get()).entrySet().stream()
                        .map(entry -> entry.getKey() + " " + Base64.getEncoder().encodeToString(entry.getValue()))
                        .toList();
                throw new AssertionError("There is no golden/" + golden + "; one of this build is "
                        + Files.write(Path.of("target", golden), lines) + ": put it beside those of earlier versions");
            }
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII).lines().map(line -> line.split(" ", 2))
                    .collect(Collectors.toMap(line -> line[0], line -> Base64.getDecoder().decode(line[1])));
        }
    }
}
