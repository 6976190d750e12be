// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.GatedState.Mode;
import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchPhaseState.Baselining;
import io.redliner.analyzer.search.SearchPhaseState.Confirming;
import io.redliner.analyzer.search.SearchPhaseState.Draining;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.SlaEvaluation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells noise, such as a noisy neighbour, from an overload by the test: noise slows the peers as well. While {@link PeerWatch}
 * detects noise, time stands still for the search: windows with noise are taken back, the load is shed, and the same step goes on
 * when the SUT's queue is empty. Only peers decide, so a false alarm costs time and no accuracy. For one thread and one run.
 */
public final class NoiseGate implements CapacitySearch {

    /** Time without noise and without a queue at the SUT after which the gate opens. */
    private static final double CLEAR_SECONDS = 1;

    /** Delay until a change of load takes effect, and time in which the SUT settles. */
    private static final double SETTLING_SECONDS = 2.5;

    /** Seconds after the noise from which on a remaining backlog is the SUT's own. */
    private static final double OWN_BACKLOG_SECONDS = 15;

    /** Longer noise would become the peers' usual state, and its end would look like an improvement. */
    private static final double MAX_NOISE_SECONDS = 60;

    private static final double REMAINING_LOAD = 0.5;

    /** An alarm up to this many windows before the noise was detected is no evidence. */
    private static final int BEFORE_NOISE = 3;

    private static final int MAX_STATES = 40;

    /** Ratio to the natural load above which the SUT is loaded. */
    private static final double LOADED = 1.4;

    /** Ratio to the natural load up to which noise is not of the SUT's load. */
    private static final double UNLOADED = 1.15;

    /** Longest time behind the gate, in multiples of the search's own longest time. */
    private static final double STRETCH = 2;

    private static final double MIN_SECONDS = 40;

    private final SearchSettings settings;

    private final BayesianCapacitySearch search;

    /** The search when noise is a state of the machine. */
    private final BayesianCapacitySearch searchBeside;

    private @Nullable PeerWatch watch;

    private final SpeedWander speedWander = new SpeedWander();

    /** States of the search before each of the last windows since the gate opened, oldest first. */
    private final Deque<SearchPhaseState> before = new ArrayDeque<>();

    /** State of the search before the window that raised the alarm of the present drain. */
    private @Nullable SearchPhaseState stateBeforeAlarm;

    private int sinceAlarm;

    private boolean wasNoisy;

    /** Creates a gate in front of a search with these settings. */
    public NoiseGate(SearchSettings settings) {
        this.settings = settings;
        this.search = new BayesianCapacitySearch(settings);
        this.searchBeside = new BayesianCapacitySearch(settings.besideNoise());
    }

    @Override
    public SearchState begin() {
        var inner = (SearchPhaseState) search.begin();
        return new GatedState(inner, isOff() ? new Mode.Open() : new Mode.Watching(0), NoiseAccount.NOTHING,
                PeerProfiles.NONE, inner.advice(), Double.NaN);
    }

    private boolean isOff() {
        return settings.watching().isZero();
    }

    @Override
    public Optional<ExceedanceCurve> curve(SearchState state, SlaEvaluation sla) {
        return search.curve(gated(state).search(), sla);
    }

    @Override
    public SearchState recall(SearchState given, Map<String, List<LatencyHistory>> histories, String sutAddress,
            Duration windowLength) {
        var last = gated(given);
        if (isOff() || !(last.search() instanceof Baselining)) {
            return last;
        }
        var peers = new TreeMap<>(histories);
        var ofSut = Optional.ofNullable(peers.remove(sutAddress)).orElse(List.of());
        var watching = watch(last, windowLength.toNanos() / 1e9);
        watching.recall(peers);
        speedWander.recall(ofSut, watching);
        return new GatedState(last.search(), last.mode(), last.account(), watching.profiles(), last.advice(),
                last.wander()).wandering(speedWander.deviation());
    }

    @Override
    public SearchState advise(SearchState given, SearchInput window) {
        var last = gated(given);
        if (!(last.search() instanceof Baselining)) {
            speedWander.forget();
        }
        if (last.ended()) {
            return last;
        }
        var peers = watch(last, window.seconds());
        int noisy = isOff() ? 0 : peers.see(window);
        var state = new GatedState(window.sla().conclusive() ? last.search().conclusive() : last.search(), last.mode(),
                counted(last, window, noisy > 0),
                peers.profiles(), last.advice(), last.wander());
        if (noisy > 0 && state.account().isSharedBottleneck()) {
            return state.endBySharedBottleneck();
        }
        if (state.mode() instanceof Mode.Beside) {
            return beside(state, window, noisy > 0);
        }
        if (search.isOutOfTime(window) || (!window.sla().conclusive() && noisy == 0)) {
            return unseen(state, window);
        }
        if (state.isNoiseNewState() && settings.leavesTimeBesideNoise(window)) {
            return restarted(state, window);
        }
        return switch (state.mode()) {
            case Mode.Watching watching -> watching(state, watching, window, noisy);
            case Mode.Beside beside -> beside(state, window, noisy > 0);
            case Mode.Open open when state.search() instanceof Baselining ->
                watching(state, new Mode.Watching(state.account().seconds()), window, noisy);
            case Mode.Open open -> open(state, window, noisy);
            case Mode.Shut shut -> shut(state, shut, window, noisy > 0);
            case Mode.Opening opening -> opening(state, opening, window, noisy > 0);
        };
    }

    private static GatedState gated(SearchState given) {
        if (given instanceof GatedState gated) {
            return gated;
        }
        throw new IllegalArgumentException("not a state of this search: " + given);
    }

    private PeerWatch watch(GatedState last, double windowSeconds) {
        if (watch == null) {
            watch = new PeerWatch(windowSeconds, last.peers());
        }
        return watch;
    }

    private NoiseAccount counted(GatedState last, SearchInput window, boolean noisy) {
        var peers = watched();
        if (last.mode() instanceof Mode.Watching) {
            return last.account().with(last.account().episodes().requests(peers.late(), peers.allowedLate()));
        }
        boolean loaded = window.requestsPerSecond() > LOADED * window.loads().natural();
        var passed = last.account().passed(window.seconds(), noisy, loaded);
        if (last.mode() instanceof Mode.Open && !noisy && watched().knows(1)) {
            passed = passed.watched(window.seconds(), watched().isSomewhatSlower());
        }
        boolean onset = noisy && !wasNoisy;
        wasNoisy = noisy;
        boolean unloaded = last.advice().phase() == SearchAdvice.Phase.BASELINE || (onset
                && last.mode() instanceof Mode.Open
                && window.requestsPerSecond() < UNLOADED * window.loads().natural());
        var episodes = passed.episodes().requests(noisy ? peers.late() : 0, peers.allowedLate());
        passed = passed.with(noisy || peers.canTell()
                ? episodes.passed(window.seconds(), noisy, last.besideNeighbours() || unloaded)
                : episodes);
        return onset ? passed.onset(loaded) : passed;
    }

    /** Passes a window to the search in any mode: one that is inconclusive, or the last one before the time is over. */
    private GatedState unseen(GatedState state, SearchInput window) {
        var next = (SearchPhaseState) search.advise(state.search(), window);
        double load = (next instanceof Baselining ? next.advice() : state.advice()).requestsPerSecond();
        var account = state.mode() instanceof Mode.Watching ? state.account() : state.account().cut(window.seconds());
        return state.mode() instanceof Mode.Open || next.ended()
                ? passed(state, next)
                : state.with(account).with(next, state.mode(),
                        state.advising(Action.HOLD, load, next.advice().reason(), false));
    }

    /**
     * Learns the usual speed of the peers. The gate opens when it is known of two, or of the only one, or when the time for
     * watching is over or the run has too little time left. It watches again when peers appear before the load is raised. The
     * search measures the baseline in the last seconds of the watch.
     */
    private GatedState watching(GatedState given, Mode.Watching watching, SearchInput window, int noisy) {
        if (!isOff()) {
            speedWander.see(window, watched());
        }
        var state = given.wandering(speedWander.deviation());
        if (isOff() || !settings.leavesTimeToWatch(window)) {
            return watchedOut(state, window, noisy);
        }
        if (state.mode() instanceof Mode.Watching && watched().knows(window.peers().byAddress().size())) {
            var episodes = watched().episodes().requestsOf(state.account().episodes());
            var seen = state.with(state.account().with(episodes));
            if (!episodes.isDecided(watching.seconds())) {
                return waiting(state, (SearchPhaseState) search.begin(), watching, window);
            }
            return episodes.isState() && settings.leavesTimeBesideNoise(window)
                    ? beside(seen, window, noisy > 0)
                    : watchedOut(seen, window, noisy);
        }
        double left = Math.min(watched().secondsUntilKnown(window.peers().byAddress().size()),
                SearchSettings.seconds(settings.watching()) - Math.max(watching.seconds(), watched().seconds()));
        if (left <= 1e-6) {
            return watchedOut(state, window, noisy);
        }
        // The baseline stays one window before its end until the peers are known.
        return waiting(state, left <= search.baselineSeconds(window)
                && search.advise(state.search(), window) instanceof Baselining next ? next : state.search(),
                watching, window);
    }

    private static GatedState waiting(GatedState state, SearchPhaseState next, Mode.Watching watching,
            SearchInput window) {
        return state.with(next, new Mode.Watching(watching.seconds() + window.seconds()), state.adviceToWatch(window));
    }

    /** Ends the watch. A baseline with noise, which shows only now, is measured again. */
    private GatedState watchedOut(GatedState state, SearchInput window, int noisy) {
        if (!(state.mode() instanceof Mode.Watching) || !state.isMeasured()) {
            return open(state, window, noisy);
        }
        double seconds = search.baselineSeconds(window);
        if (noisy == 0 && !watched().wasNoisyWithin(2 * seconds)) {
            return open(state.with(state.account().passed(seconds, false, false)), window, noisy);
        }
        var again = state.with((SearchPhaseState) search.begin(), new Mode.Open(), state.adviceToWatch(window));
        return noisy > 0 ? open(again, window, noisy) : again;
    }

    /** Begins the search anew: what it has learnt is about another capacity. */
    private GatedState restarted(GatedState state, SearchInput window) {
        before.clear();
        stateBeforeAlarm = null;
        return beside(state.with((SearchPhaseState) search.begin(), new Mode.Beside(), state.advice()), window, true);
    }

    /** Passes a window to the search, with noise or without. Noise is cut out when the SUT cannot keep its SLA beside it. */
    private GatedState beside(GatedState state, SearchInput window, boolean noisy) {
        if (state.account().episodes().current() > MAX_NOISE_SECONDS) {
            return state.end(search.outOfTime(state.search()),
                    "noise: " + state.noisyPeers() + " have been slow for a minute, and before for seconds at a time");
        }
        if (state.account().episodes().isNoState() && settings.leavesTimeToWatch(window)) {
            return open(state.afterNoise((SearchPhaseState) search.begin()), window, noisy ? 1 : 0);
        }
        var next = (SearchPhaseState) searchBeside.advise(state.search(), window);
        if (next.ended() && state.search() instanceof Baselining && !search.isOutOfTime(window)) {
            return open(state.cuttingOut((SearchPhaseState) search.begin()), window, noisy ? 1 : 0);
        }
        return next.advice().action() == Action.DONE
                && watched().ill() > Math.max(NoiseAccount.ILL, state.account().episodes().part())
                        ? state.end(next,
                                "peers-ill: " + state.noisyPeers() + " are slow every few seconds, and often some "
                                        + "of them by themselves: they are no control")
                        : state.following(next, new Mode.Beside());
    }

    private GatedState open(GatedState state, SearchInput window, int noisy) {
        before.addLast(state.search());
        if (before.size() > MAX_STATES) {
            before.removeFirst();
        }
        var next = (SearchPhaseState) search.advise(state.search(), window);
        if (!(next instanceof Draining)) {
            stateBeforeAlarm = null;
        } else if (stateBeforeAlarm == null) {
            stateBeforeAlarm = state.search();
            sinceAlarm = 0;
        } else {
            sinceAlarm++;
        }
        if (noisy == 0 || (stateBeforeAlarm != null && sinceAlarm > noisy + BEFORE_NOISE)) {
            return next.ended() || !state.isTooNoisyToStart(next) ? passed(state, next) : putOff(state, window);
        }
        int windows = Math.min(noisy, before.size());
        SearchPhaseState restored = before.stream().skip(before.size() - (long) windows).findFirst().orElseThrow();
        if (stateBeforeAlarm != null && sinceAlarm + 1 >= windows) {
            windows = sinceAlarm + 1;
            restored = stateBeforeAlarm.with(stateBeforeAlarm.common().resetAlarm());
        }
        return close(state.with(state.account().cut(windows * window.seconds()))
                .with(restored.with(restored.common().interrupted()), state.mode(), state.advice()), window);
    }

    /** Puts off the first step: the baseline stays in its state of one window before its end. */
    private GatedState putOff(GatedState state, SearchInput window) {
        var account = state.account().cut(window.seconds());
        return account.seconds() > limit(state.search())
                ? state.with(account).endBeforeStart()
                : state.with(account).with(new Mode.Open(),
                        state.advising(Action.HOLD, window.loads().natural(),
                                "waiting for noise to become less: " + state.noisyPeers() + " are slow too often",
                                false));
    }

    private PeerWatch watched() {
        return Objects.requireNonNull(watch, "no window was seen");
    }

    /** Shuts the gate; the search continues later from its state. */
    private GatedState close(GatedState state, SearchInput window) {
        before.clear();
        stateBeforeAlarm = null;
        double natural = window.loads().natural();
        double level = state.search() instanceof Baselining ? natural : state.search().advice().requestsPerSecond();
        double low = Math.min(level, Math.max(natural, REMAINING_LOAD * level));
        return state.with(new Mode.Shut(level, low, 0, 0, window.seconds()),
                state.advising(low < level ? Action.SHED : Action.HOLD, low,
                        "noise: " + state.noisyPeers() + " are slower than usual, so nothing counts", true));
    }

    private GatedState shut(GatedState state, Mode.Shut shut, SearchInput window, boolean noisy) {
        var account = state.account().cut(window.seconds());
        double noisySeconds = noisy ? shut.noisySeconds() + window.seconds() : 0;
        if (account.seconds() > limit(state.search()) || noisySeconds > MAX_NOISE_SECONDS) {
            return endByNoise(state.with(account));
        }
        double usual = noisy ? 0 : shut.usualSeconds() + window.seconds();
        boolean free = state.search().baseline()
                .map(base -> window.inFlight() <= 1.5 * shut.low() * base.latency() + 3).orElse(true);
        double clear = free && !noisy ? shut.clearSeconds() + window.seconds() : 0;
        if (clear < CLEAR_SECONDS - 1e-6 && usual < OWN_BACKLOG_SECONDS) {
            return state.with(account).with(new Mode.Shut(shut.level(), shut.low(), clear, usual, noisySeconds),
                    state.advising(Action.HOLD, shut.low(), noisy
                            ? "noise: " + state.noisyPeers() + " are slower than usual"
                            : "noise is over; waiting for what it left at the SUT", false));
        }
        if (shut.low() < shut.level()) {
            return state.with(account).with(new Mode.Opening(shut.level(), SETTLING_SECONDS),
                    state.advising(Action.GO, shut.level(), "noise is over: going back to where it began", true));
        }
        return opened(state.with(account), shut.level());
    }

    private GatedState opening(GatedState state, Mode.Opening opening, SearchInput window, boolean noisy) {
        var cut = state.with(state.account().cut(window.seconds()));
        if (noisy) {
            return close(cut, window);
        }
        double left = opening.seconds() - window.seconds();
        return left <= 1e-6 || window.isQueueing()
                ? opened(cut, opening.level())
                : cut.with(new Mode.Opening(opening.level(), left),
                        cut.advising(Action.HOLD, opening.level(), "settling after noise", false));
    }

    private GatedState opened(GatedState state, double level) {
        return state.with(new Mode.Open(), state.advising(Action.HOLD, level, state.search().advice().reason(), false));
    }

    /** Passes on the search's advice, unless there was too much noise for an answer. */
    private GatedState passed(GatedState state, SearchPhaseState next) {
        var advice = next.advice();
        if (advice.action() == Action.DONE || advice.action() == Action.EXHAUSTED) {
            var objection = state.account().objection(advice, state.noisyPeers());
            if (objection.isPresent()) {
                return state.end(next, objection.get());
            }
        }
        return state.following(next, new Mode.Open());
    }

    private GatedState endByNoise(GatedState state) {
        double confirmingSeconds = state.search() instanceof Confirming confirming
                ? confirming.common().signals().seconds() - confirming.history().since()
                : 0;
        var next = search.outOfTime(state.search());
        return confirmingSeconds < MIN_SECONDS ? state.endWithTooLittle(next) : passed(state, next);
    }

    private double limit(SearchPhaseState state) {
        return STRETCH * state.baseline().map(settings::maxSeconds)
                .orElseGet(() -> SearchSettings.seconds(settings.stop().longest()));
    }
}
