// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.benchmarks.lab.report.AccuracyStatistics;
import io.redliner.benchmarks.lab.report.ConsoleReport;
import io.redliner.benchmarks.lab.report.LabRunResult;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On servers drawn at random that no constant was fitted on, the search is as near and as sure as it was when recorded. */
@Tag("soak")
class PopulationTest {

    private static final int EVERY = 5;

    private static final long SEED = 900;

    /** Recorded on 2026-11-29, with 60 servers. */
    private static final double MEDIAN_ERROR = 0.0257;

    /** The median, recorded with it. */
    private static final double HALF_WIDTH = 0.1189;

    private static final double STANDARD_ERRORS = 2;

    @Test
    void the_search_is_as_near_and_as_sure_as_recorded_on_servers_that_it_does_not_know() {
        var population = RecordedCapacities.population();
        var servers = IntStream.range(ServerPopulation.TUNING, population.size()).filter(server -> server % EVERY == 0)
                .mapToObj(population::get).toList();

        List<LabRunResult> runs;
        try (var workers = Executors.newFixedThreadPool(2)) {
            runs = servers.stream()
                    .map(kind -> new Experiment(CapacityMethods.OURS, kind, 1, SEED, TestConditions
                            .of(TrafficVolatility.LIVE, FleetTiming.suiting(RecordedCapacities.of(kind))), false))
                    .flatMap(experiment -> experiment.run(workers, run -> {}).stream()).toList();
        }

        var figures = AccuracyStatistics.of(runs);
        System.out.println(ConsoleReport.header());
        System.out.println(ConsoleReport.row(CapacityMethods.OURS, "testing", figures));
        assertThat(figures.runs()).isEqualTo(60);
        assertThat(figures.coverage()).isBetween(0.9, 1.0);
        assertThat(figures.medianError()).isLessThan(
                MEDIAN_ERROR + STANDARD_ERRORS * errorOfMedian(runs, run -> Math.abs(run.error())));
        assertThat(figures.halfWidth()).isLessThan(
                HALF_WIDTH + STANDARD_ERRORS * errorOfMedian(runs, LabRunResult::halfWidth));
    }

    /** The standard error of a median, from the values whose ranks are one standard deviation of the binomial to its sides. */
    private static double errorOfMedian(List<LabRunResult> runs, ToDoubleFunction<LabRunResult> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).filter(Double::isFinite).sorted().toArray();
        int middle = sorted.length / 2;
        int spread = (int) Math.ceil(Math.sqrt(sorted.length) / 2);
        return (sorted[middle + spread] - sorted[middle - spread]) / 2;
    }
}
