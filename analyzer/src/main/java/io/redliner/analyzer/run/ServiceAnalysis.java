// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.run.RunUnderTest.Stage;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.window.Reception;
import io.redliner.analyzer.window.ServiceWindow;
import io.redliner.analyzer.window.ServiceWindows;
import io.redliner.analyzer.window.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** One service: its windows, and the run on it if there is one. For one thread. */
public final class ServiceAnalysis {

    /** Weight of the newest second in the smoothed rate: about three seconds are remembered. */
    private static final double SMOOTHING_SECONDS = 2.5;

    private final Duration grace;

    private final Function<RunUnderTest, CapacitySearch> searches;

    private ServiceWindows windows;

    private Optional<RunAnalysis> analysis = Optional.empty();

    private double smoothedRate = Double.NaN;

    private long gaps;

    /**
     * Of a service that nothing is known of.
     *
     * @param length of its windows while there is no run
     * @param grace how long after its end a window waits for what is missing
     * @param searches makes the search of a run
     */
    public ServiceAnalysis(Duration length, Duration grace, Function<RunUnderTest, CapacitySearch> searches) {
        this.grace = grace;
        this.searches = searches;
        this.windows = new ServiceWindows(length, grace);
    }

    /** The run that verdicts are about. */
    public Optional<RunUnderTest> run() {
        return analysis.map(RunAnalysis::run);
    }

    /** The controller's word on the service, heard as it was spoken. */
    public void hear(RunUnderTest run, Instant now) {
        boolean fromTheBeginning = run.stage() == Stage.WAITING || run.stage() == Stage.BASELINE;
        begin(run, now, () -> fromTheBeginning ? RunAnalysis.begin(run, searches.apply(run)) : resumed(run, now));
    }

    /** The controller's last word on the service, found after a restart. */
    public void recall(RunUnderTest run, Instant now) {
        begin(run, now, () -> resumed(run, now));
    }

    /** There is no run on the service any more. */
    public void forgetRun() {
        analysis = Optional.empty();
    }

    /** Takes what a collector saw. */
    public Reception add(Sighting sighting, Instant now) {
        if (analysis.isEmpty() && !sighting.measured().length().equals(windows.length())) {
            replaceWindows(sighting.measured().length());
        }
        long gapsBefore = windows.gaps();
        var reception = windows.add(sighting, now);
        analysis.ifPresent(it -> it.received(reception, windows.gaps() - gapsBefore));
        return reception;
    }

    /** Sightings that were sent and have not arrived. */
    public long gaps() {
        return gaps + windows.gaps();
    }

    /** What there is to say now, oldest window first; nothing while there is no run. */
    public List<Analysis> due(Instant now) {
        var due = new ArrayList<Analysis>();
        for (var window : windows.close(now)) {
            smooth(window);
            analysis.ifPresent(it -> due.add(it.next(window, Double.isNaN(smoothedRate) ? 0 : smoothedRate)));
        }
        return due;
    }

    /** Whether there is nothing to remember. */
    public boolean idle() {
        return analysis.isEmpty() && windows.silent();
    }

    private RunAnalysis resumed(RunUnderTest run, Instant now) {
        return RunAnalysis.resume(run, searches.apply(run), now.toEpochMilli());
    }

    private void begin(RunUnderTest run, Instant now, Supplier<RunAnalysis> beginning) {
        if (!run.live()) {
            analysis = Optional.empty();
            return;
        }
        if (!run.windowLength().equals(windows.length())) {
            replaceWindows(run.windowLength());
        }
        windows.expect(now);
        if (analysis.isPresent() && analysis.get().run().sameAs(run)) {
            analysis.get().update(run);
        } else {
            analysis = Optional.of(beginning.get());
        }
    }

    private void replaceWindows(Duration length) {
        gaps += windows.gaps();
        windows = new ServiceWindows(length, grace);
    }

    private void smooth(ServiceWindow window) {
        // A window that lacks somebody's word says too little of the traffic; the last known rate is nearer.
        if (window.instances().isEmpty() || !window.missing().isEmpty()) {
            return;
        }
        double seconds = window.length().toNanos() / 1e9;
        double rate = window.all().map(all -> all.started() / seconds).orElse(0.0);
        double weight = 1 - Math.exp(-seconds / SMOOTHING_SECONDS);
        smoothedRate = Double.isNaN(smoothedRate) ? rate : smoothedRate + weight * (rate - smoothedRate);
    }
}
