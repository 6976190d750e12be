// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.kafka.AnalyzerMetrics;
import io.redliner.controller.core.run.StopCode;
import io.redliner.simulation.LoopSimulation.End;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The worlds of {@link SimulatedRuns}, in which somebody writes records that no component wrote. The README of the module says which
 * promises hold against which of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ForgedRuns {

    private final LongStream seeds;

    private List<End> ends = List.of();

    /** @param seeds of the runs, each once */
    ForgedRuns(LongStream seeds) {
        this.seeds = seeds;
    }

    @BeforeAll
    void runAll() {
        AnalyzerMetrics metrics = new AnalyzerMetrics(new SimpleMeterRegistry());
        ends = SimulatedRuns.ends(seeds, seed -> new LoopSimulation(Scenario.of(seed), Forgeries.of(seed), metrics));
        System.out.println("ends of " + ends.size() + " simulated runs with forged records: " + count());
    }

    private Map<StopCode, Long> count() {
        return ends.stream().collect(Collectors.groupingBy(end -> end.finished().ending().reason().code(), TreeMap::new,
                Collectors.counting()));
    }

    @Test
    void comes_to_the_ends_that_forged_records_lead_to() {
        assertThat(count()).containsKeys(StopCode.FENCED, StopCode.KILL_SWITCH, StopCode.LEASE_LOST,
                StopCode.TELEMETRY_LOST, StopCode.SEARCH_GAVE_UP, StopCode.CAPACITY_FOUND);
    }
}
