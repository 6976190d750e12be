// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.windowing.IngestResult;
import io.redliner.analyzer.windowing.InstanceObservation;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.analyzer.windowing.ServiceWindowAggregator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Analyses one service: its windows, and its run if there is one. For one thread. */
public final class ServiceAnalyzer {

    /** Number of requests over which the rate is smoothed: 2000 requests have a standard error of 2 %. */
    private static final double SMOOTHING_REQUESTS = 2000;

    /** Bounds of the smoothing time in seconds. With a longer time the rate would follow changes too slowly. */
    private static final double MIN_SMOOTHING = 0.6;

    private static final double MAX_SMOOTHING = 2.5;

    /** Maximum number of windows closed between two snapshots. A takeover judges them again. */
    private static final int MAX_CLOSED_WINDOWS = 15;

    private final Function<RunContext, CapacitySearch> searches;

    private ServiceWindowAggregator windows;

    private Optional<RunAnalyzer> runAnalyzer = Optional.empty();

    private double smoothedRate = Double.NaN;

    /** Windows closed since the last snapshot. */
    private final List<WindowProgress.Closed> closed = new ArrayList<>();

    private String snapshotStep = "";

    /** Start of the first window that gets a verdict: observations of earlier windows were not all kept, without a run. */
    private long judgedFromMillis = Long.MIN_VALUE;

    /**
     * Creates an analyzer with an empty state.
     *
     * @param length of the windows while there is no run
     * @param grace how long after its end a window waits for missing observations
     * @param searches creates the search of a run
     */
    public ServiceAnalyzer(Duration length, Duration grace, Function<RunContext, CapacitySearch> searches) {
        this.searches = searches;
        this.windows = new ServiceWindowAggregator(length, grace);
    }

    /** Returns the live run; empty without one. */
    public Optional<RunContext> run() {
        return runAnalyzer.map(RunAnalyzer::run);
    }

    /** Begins or updates the analysis of the service's run, with the controller's newest record of it. */
    public void update(RunContext run, Instant now) {
        boolean fromTheBeginning = run.stage() == Stage.WAITING || run.stage() == Stage.BASELINE;
        begin(run, now, () -> fromTheBeginning ? RunAnalyzer.begin(run, searches.apply(run)) : lost(run, now));
    }

    /** Begins the analysis of a run whose state is lost, from the controller's last record of it. */
    public void beginLost(RunContext run, Instant now) {
        begin(run, now, () -> lost(run, now));
    }

    /**
     * Resumes from the state of another process, or of this one before a restart.
     *
     * @param state the last snapshot
     * @param progress since the snapshot; empty when none was stored
     * @param observations observations of the windows that were not judged at the snapshot
     * @throws IllegalArgumentException when the state is not that of this run
     */
    public void resume(RunContext run, ServiceAnalysisState state, Optional<WindowProgress> progress,
            List<InstanceObservation> observations, Instant now) {
        var resumed = RunAnalyzer.resume(run, searches.apply(run), state.run());
        replaceWindows(run.windowLength());
        judgedFromMillis = state.judgedFromMillis();
        smoothedRate = state.smoothedRate().orElse(Double.NaN);
        runAnalyzer = Optional.of(resumed);
        snapshotTaken();
        progress.ifPresent(since -> {
            analysed(since.closed().stream().map(window -> ServiceWindowAggregator.window(window.startMillis(),
                    run.windowLength(), observations, window.missing(), window.incomplete())).toList());
            resumed.counted(since.coverage());
        });
        var at = progress.map(WindowProgress::windows).orElse(state.windows());
        windows.resume(at);
        for (var observation : observations) {
            if (observation.windowStartMillis() < at.nextStart().orElse(Long.MIN_VALUE)) {
                continue;
            }
            // The stored state does not contain observations that arrived after it.
            if (windows.isNew(observation)) {
                long lostBefore = lost();
                resumed.received(windows.add(observation, now), lost() - lostBefore);
            } else {
                windows.add(observation, now);
            }
        }
    }

    /** Returns the state to resume from, without the observations of open windows; empty without a run. */
    public Optional<ServiceAnalysisState> state() {
        return runAnalyzer.map(it -> new ServiceAnalysisState(windows.state(), judgedFromMillis,
                Double.isNaN(smoothedRate) ? OptionalDouble.empty() : OptionalDouble.of(smoothedRate), it.state()));
    }

    /** Returns the changes since the last snapshot, without the observations of the windows since; empty without a run. */
    public Optional<WindowProgress> progress() {
        return runAnalyzer.map(it -> new WindowProgress(windows.state(), it.state().evidence().coverage(), closed));
    }

    /** Returns true when a snapshot is due: the search began a new step, or a takeover would judge too many windows again. */
    public boolean snapshotDue() {
        return closed.size() >= MAX_CLOSED_WINDOWS || !step().equals(snapshotStep);
    }

    /** Marks {@link #state} as stored; {@link #progress} begins anew. */
    public void snapshotTaken() {
        closed.clear();
        snapshotStep = step();
    }

    private String step() {
        // The ramp is one step: it moves with nearly every window.
        return runAnalyzer.map(it -> it.state().search().advice())
                .map(advice -> advice.phase() == SearchAdvice.Phase.RAMPING
                        ? advice.phase().name()
                        : advice.phase() + " " + advice.step())
                .orElse("");
    }

    /** Returns the start of the oldest window that is not judged yet, in ms since the epoch. */
    public OptionalLong nextStart() {
        return windows.nextStart();
    }

    /** Forgets the run on the service. */
    public void forgetRun() {
        runAnalyzer = Optional.empty();
    }

    /** Adds an observation of a collector; while there is no run, its latencies are not used. */
    public IngestResult add(InstanceObservation observation, Instant now) {
        if (runAnalyzer.isEmpty() && !observation.length().equals(windows.length())) {
            replaceWindows(observation.length());
        }
        long lostBefore = lost();
        var ingestResult = windows.add(observation, now);
        if (runAnalyzer.isEmpty() && ingestResult == IngestResult.ACCEPTED) {
            judgedFromMillis = Math.max(judgedFromMillis,
                    observation.windowStartMillis() + windows.length().toMillis());
        }
        runAnalyzer.ifPresent(it -> it.received(ingestResult, lost() - lostBefore));
        return ingestResult;
    }

    /** Returns the missing observations, without those that arrived later. */
    private long lost() {
        return windows.gaps() - windows.found();
    }

    /** Returns the observations that had not arrived when a later one of the same collector did. */
    public long gaps() {
        return windows.gaps();
    }

    /** Judges the windows that are due, oldest first; returns nothing while there is no run. */
    public List<WindowResult> due(Instant now) {
        return analysed(windows.close(now));
    }

    /** Judges the complete windows only; incomplete ones wait, because there are more records to read. */
    public List<WindowResult> dueWhileCatchingUp(Instant now) {
        return analysed(windows.closeComplete(now));
    }

    /** Returns true when the grace of a window with this end is over. */
    public boolean graceOver(long windowEndMillis, Instant now) {
        return windows.graceOver(windowEndMillis, now);
    }

    private List<WindowResult> analysed(List<ServiceWindow> newlyClosed) {
        var due = new ArrayList<WindowResult>();
        for (var all : newlyClosed) {
            if (runAnalyzer.isPresent()) {
                closed.add(new WindowProgress.Closed(all.startMillis(), all.missing(), all.incomplete()));
            }
            var window = all.within(runAnalyzer.map(it -> it.run().fleet()).orElse(Set.of()));
            smooth(window);
            if (window.startMillis() >= judgedFromMillis) {
                runAnalyzer.ifPresent(it -> due.add(it.next(window, Double.isNaN(smoothedRate) ? 0 : smoothedRate)));
            }
        }
        return due;
    }

    /** Returns true when there is no run and no source has reported lately. */
    public boolean idle() {
        return runAnalyzer.isEmpty() && windows.silent();
    }

    private RunAnalyzer lost(RunContext run, Instant now) {
        return RunAnalyzer.lost(run, searches.apply(run), now.toEpochMilli());
    }

    private void begin(RunContext run, Instant now, Supplier<RunAnalyzer> beginning) {
        if (!run.live()) {
            runAnalyzer = Optional.empty();
            return;
        }
        if (!run.windowLength().equals(windows.length())) {
            replaceWindows(run.windowLength());
        }
        windows.expect(now);
        if (runAnalyzer.isPresent() && runAnalyzer.get().run().isContinuedBy(run)) {
            runAnalyzer.get().update(run);
        } else {
            runAnalyzer = Optional.of(beginning.get());
            windows.forgetSequences();
            long length = windows.length().toMillis();
            judgedFromMillis = Math.max(judgedFromMillis, Math.ceilDiv(now.toEpochMilli(), length) * length);
        }
    }

    private void replaceWindows(Duration length) {
        windows = windows.ofLength(length);
    }

    private void smooth(ServiceWindow window) {
        // The last known rate is a better estimate than an incomplete window.
        if (window.instances().isEmpty() || !window.whole()) {
            return;
        }
        double seconds = window.length().toNanos() / 1e9;
        double rate = window.addressed() / seconds;
        double weight = 1 - Math.exp(-seconds / Math.clamp(SMOOTHING_REQUESTS / Math.max(rate, 1),
                MIN_SMOOTHING, MAX_SMOOTHING));
        smoothedRate = Double.isNaN(smoothedRate) ? rate : smoothedRate + weight * (rate - smoothedRate);
    }
}
