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

/** One service: its windows, and the run on it if there is one. For one thread. */
public final class ServiceAnalyzer {

    /** The smoothed rate remembers so many requests, so that it is not noise, but not for long, so that it is not late. */
    private static final double SMOOTHING_REQUESTS = 2000;

    private static final double MIN_SMOOTHING = 0.6;

    private static final double MAX_SMOOTHING = 2.5;

    /** Windows that are judged once more at a takeover. */
    private static final int MAX_CLOSED_WINDOWS = 15;

    private final Function<RunContext, CapacitySearch> searches;

    private ServiceWindowAggregator windows;

    private Optional<RunAnalyzer> analysis = Optional.empty();

    private double smoothedRate = Double.NaN;

    /** Since the last snapshot. */
    private final List<WindowProgress.Closed> closed = new ArrayList<>();

    private String snapshotStep = "";

    /** Of what began earlier not everything was kept, because there was no run. */
    private long judgedFromMillis = Long.MIN_VALUE;

    /**
     * Of a service that nothing is known of.
     *
     * @param length of its windows while there is no run
     * @param grace how long after its end a window waits for what is missing
     * @param searches makes the search of a run
     */
    public ServiceAnalyzer(Duration length, Duration grace, Function<RunContext, CapacitySearch> searches) {
        this.searches = searches;
        this.windows = new ServiceWindowAggregator(length, grace);
    }

    /** The run that verdicts are about. */
    public Optional<RunContext> run() {
        return analysis.map(RunAnalyzer::run);
    }

    /** Takes the controller's newest record of the service's run. */
    public void hear(RunContext run, Instant now) {
        boolean fromTheBeginning = run.stage() == Stage.WAITING || run.stage() == Stage.BASELINE;
        begin(run, now, () -> fromTheBeginning ? RunAnalyzer.begin(run, searches.apply(run)) : lost(run, now));
    }

    /** Takes the controller's last record of the run, found after a restart without the state of its analysis. */
    public void recall(RunContext run, Instant now) {
        begin(run, now, () -> lost(run, now));
    }

    /**
     * Goes on where another process, or this one before a restart, was.
     *
     * @param state the last snapshot
     * @param progress since then; empty when nothing was kept since
     * @param seen observations of the windows that were not judged yet at the snapshot
     * @throws IllegalArgumentException when the state is not that of this run
     */
    public void resume(RunContext run, ServiceAnalysisState state, Optional<WindowProgress> progress,
            List<InstanceObservation> seen, Instant now) {
        var resumed = RunAnalyzer.resume(run, searches.apply(run), state.run());
        replaceWindows(run.windowLength());
        judgedFromMillis = state.judgedFromMillis();
        smoothedRate = state.smoothedRate().orElse(Double.NaN);
        analysis = Optional.of(resumed);
        snapshotTaken();
        progress.ifPresent(since -> {
            analysed(since.closed().stream().map(window -> ServiceWindowAggregator.window(window.startMillis(),
                    run.windowLength(), seen, window.missing(), window.incomplete())).toList());
            resumed.counted(since.coverage());
        });
        var at = progress.map(WindowProgress::windows).orElse(state.windows());
        windows.resume(at);
        for (var observation : seen) {
            if (observation.windowStartMillis() < at.nextStart().orElse(Long.MIN_VALUE)) {
                continue;
            }
            // What came after the state was stored is not in it yet.
            if (windows.isNew(observation)) {
                long lostBefore = lost();
                resumed.received(windows.add(observation, now), lost() - lostBefore);
            } else {
                windows.add(observation, now);
            }
        }
    }

    /** The state to resume from, without the observations of open windows; empty without a run. */
    public Optional<ServiceAnalysisState> state() {
        return analysis.map(it -> new ServiceAnalysisState(windows.state(), judgedFromMillis,
                Double.isNaN(smoothedRate) ? OptionalDouble.empty() : OptionalDouble.of(smoothedRate), it.state()));
    }

    /** What changed since the last snapshot, without the observations of the windows since; empty without a run. */
    public Optional<WindowProgress> progress() {
        return analysis.map(it -> new WindowProgress(windows.state(), it.state().evidence().coverage(), closed));
    }

    /** Whether the search has moved on, or so much is to be repeated that it is time for a snapshot. */
    public boolean stepIsOver() {
        return closed.size() >= MAX_CLOSED_WINDOWS || !step().equals(snapshotStep);
    }

    /** Now {@link #state} is kept, and {@link #progress} begins anew. */
    public void snapshotTaken() {
        closed.clear();
        snapshotStep = step();
    }

    private String step() {
        // The ramp is one step: it moves with nearly every window.
        return analysis.map(it -> it.state().search().advice())
                .map(advice -> advice.phase() == SearchAdvice.Phase.RAMPING
                        ? advice.phase().name()
                        : advice.phase() + " " + advice.step())
                .orElse("");
    }

    /** The start of the oldest window that is not judged yet, in ms since the epoch. */
    public OptionalLong nextStart() {
        return windows.nextStart();
    }

    /** There is no run on the service any more. */
    public void forgetRun() {
        analysis = Optional.empty();
    }

    /** Takes an observation of a collector; while there is no run, its latencies are not used. */
    public IngestResult add(InstanceObservation observation, Instant now) {
        if (analysis.isEmpty() && !observation.measured().length().equals(windows.length())) {
            replaceWindows(observation.measured().length());
        }
        long lostBefore = lost();
        var reception = windows.add(observation, now);
        if (analysis.isEmpty() && reception == IngestResult.ACCEPTED) {
            judgedFromMillis = Math.max(judgedFromMillis,
                    observation.windowStartMillis() + windows.length().toMillis());
        }
        analysis.ifPresent(it -> it.received(reception, lost() - lostBefore));
        return reception;
    }

    /** What is only late, or out of its order, is not lost. */
    private long lost() {
        return windows.gaps() - windows.found();
    }

    /** Observations that had not arrived when a later one of the same collector did. */
    public long gaps() {
        return windows.gaps();
    }

    /** What there is to say now, oldest window first; nothing while there is no run. */
    public List<WindowResult> due(Instant now) {
        return analysed(windows.close(now));
    }

    /** As {@link #due}, but a window that lacks something goes on waiting, because there is more to read. */
    public List<WindowResult> dueWhileCatchingUp(Instant now) {
        return analysed(windows.closeComplete(now));
    }

    /** Whether nobody is waited for any more in a window that ended then. */
    public boolean isOver(long windowEndMillis, Instant now) {
        return windows.graceOver(windowEndMillis, now);
    }

    private List<WindowResult> analysed(List<ServiceWindow> newlyClosed) {
        var due = new ArrayList<WindowResult>();
        for (var all : newlyClosed) {
            if (analysis.isPresent()) {
                closed.add(new WindowProgress.Closed(all.startMillis(), all.missing(), all.incomplete()));
            }
            var window = all.within(analysis.map(it -> it.run().fleet()).orElse(Set.of()));
            smooth(window);
            if (window.startMillis() >= judgedFromMillis) {
                analysis.ifPresent(it -> due.add(it.next(window, Double.isNaN(smoothedRate) ? 0 : smoothedRate)));
            }
        }
        return due;
    }

    /** Whether there is nothing to remember. */
    public boolean idle() {
        return analysis.isEmpty() && windows.silent();
    }

    private RunAnalyzer lost(RunContext run, Instant now) {
        return RunAnalyzer.lost(run, searches.apply(run), now.toEpochMilli());
    }

    private void begin(RunContext run, Instant now, Supplier<RunAnalyzer> beginning) {
        if (!run.live()) {
            analysis = Optional.empty();
            return;
        }
        if (!run.windowLength().equals(windows.length())) {
            replaceWindows(run.windowLength());
        }
        windows.expect(now);
        if (analysis.isPresent() && analysis.get().run().isContinuedBy(run)) {
            analysis.get().update(run);
        } else {
            analysis = Optional.of(beginning.get());
            windows.forgetSequences();
            long length = windows.length().toMillis();
            judgedFromMillis = Math.max(judgedFromMillis, Math.ceilDiv(now.toEpochMilli(), length) * length);
        }
    }

    private void replaceWindows(Duration length) {
        windows = windows.ofLength(length);
    }

    private void smooth(ServiceWindow window) {
        // An incomplete window is poor evidence of the traffic; the last known rate is nearer.
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
