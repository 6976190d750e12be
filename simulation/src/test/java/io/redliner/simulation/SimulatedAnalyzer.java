// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.analyzer.kafka.AnalyzerMetrics;
import io.redliner.analyzer.kafka.PartitionAnalyzer;
import io.redliner.analyzer.search.KneeSettings;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.search.SearchSettings.Ramp;
import io.redliner.analyzer.search.SearchSettings.Steps;
import io.redliner.analyzer.search.SearchSettings.Stop;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The partition of the analyzer that has the service: the real one without Kafka Streams, which is played here. What it is
 * fed is a log; a commit says up to where it was taken, and what was in the table then.
 */
final class SimulatedAnalyzer {

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Input(Topic topic, String key, byte @Nullable [] value) {}

    private static final Duration GRACE = Duration.ofMillis(750);

    private static final Duration CATCH_UP = Duration.ofSeconds(1);

    private static final long TICK = 100;

    private static final long COMMIT = 1000;

    private final VirtualTime time;

    private final AnalyzerMetrics metrics;

    private final Consumer<byte[]> verdicts;

    /** Since the last commit, and what has not been taken yet. */
    private final List<Input> log = new ArrayList<>();

    private int taken;

    private Map<String, byte[]> committed = new TreeMap<>();

    private Map<String, byte[]> table = new TreeMap<>();

    private PartitionAnalyzer analysis;

    private boolean alive = true;

    private boolean hangs;

    private byte @Nullable [] newestRun;

    SimulatedAnalyzer(VirtualTime time, AnalyzerMetrics metrics, Consumer<byte[]> verdicts) {
        this.time = time;
        this.metrics = metrics;
        this.verdicts = verdicts;
        this.analysis = PartitionAnalyzer.over(table, GRACE, settings(), metrics);
        time.every(TICK, () -> {
            if (alive && !hangs) {
                publish(analysis.tick(time.instant()));
            }
        });
        time.every(COMMIT, this::commit);
    }

    /** The search as it is, with a coarser grid and shorter times: a run is to take a minute. */
    static SearchSettings settings() {
        SearchSettings all = SearchSettings.defaults();
        KneeSettings knee = KneeSettings.DEFAULT;
        List<KneeSettings.Clump> clumps = knee.grid().clumps();
        KneeSettings coarse = new KneeSettings(
                new KneeSettings.Grid(0.012, knee.grid().slopes().subList(0, 5), List.of(0.03, 0.2, 0.6),
                        List.of(clumps.get(1), clumps.get(3), clumps.get(5))),
                new KneeSettings.SteepnessPrior(14, 0.8), knee.nearness(),
                knee.outlier(), knee.winsorised(), knee.saturationSpread(), knee.approachPart());
        Stop stop = all.stop();
        return new SearchSettings(
                new Ramp(Duration.ofSeconds(2), Duration.ofSeconds(10), 0.08, all.ramp().caution(),
                        all.ramp().inflated()),
                new Steps(Duration.ofSeconds(3), Duration.ofSeconds(8), all.steps().requests(), all.steps().settling(),
                        Duration.ofSeconds(2)),
                all.target(),
                new Stop(0.06, Duration.ofSeconds(15), Duration.ofSeconds(35), Duration.ofSeconds(90), stop.extension(),
                        stop.maxStalls(), stop.maxInconclusive(), stop.goal()),
                all.likelihood(), all.alarm(), coarse, Duration.ZERO);
    }

    /** A record of one of its topics. */
    void received(Topic topic, String key, byte @Nullable [] value) {
        if (topic == Topic.RUNS && key.equals(LoopSimulation.SERVICE)) {
            newestRun = value;
        }
        log.add(new Input(topic, key, value));
        if (alive && !hangs) {
            read();
        }
    }

    private void read() {
        while (taken < log.size()) {
            Input next = log.get(taken++);
            publish(analysis.record(next.topic(), next.key(), next.value(), time.instant()));
        }
    }

    private void publish(List<Verdict> said) {
        said.forEach(one -> verdicts.accept(one.toByteArray()));
    }

    private void commit() {
        if (alive && !hangs) {
            log.subList(0, taken).clear();
            taken = 0;
            committed = new TreeMap<>(table);
        }
    }

    void die() {
        alive = false;
    }

    void hang(long millis) {
        hangs = true;
        time.after(millis, () -> {
            hangs = false;
            if (alive) {
                read();
            }
        });
    }

    /**
     * Another process goes on.
     *
     * @param behind whether it finds what was committed last, and not what was written last
     */
    void failOver(boolean behind) {
        table = behind ? new TreeMap<>(committed) : table;
        taken = 0;
        goOn();
    }

    /** Another process finds no table; it reads the controllers' last word, as the topic is compacted. */
    void forget(String service) {
        table = new TreeMap<>();
        log.subList(0, taken).clear();
        taken = 0;
        if (newestRun != null) {
            log.addFirst(new Input(Topic.RUNS, service, newestRun));
        }
        goOn();
    }

    private void goOn() {
        alive = true;
        analysis = PartitionAnalyzer.over(table, GRACE, settings(), metrics);
        publish(analysis.restore(time.instant(), CATCH_UP));
        read();
    }
}
