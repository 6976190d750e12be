// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchAdvice.Phase;
import io.redliner.analyzer.search.SearchPhaseState.Baselining;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The state of a search behind a {@link NoiseGate}.
 *
 * @param search state of the search, for which time stands still while there is noise
 * @param mode of the gate
 * @param account of the noise so far
 * @param peers profiles of the peers
 * @param advice of the search, or of the gate while it is shut
 * @param wander variation of the SUT's speed by itself at the natural load, see {@link SpeedWander}; NaN while unknown
 */
public record GatedState(SearchPhaseState search, Mode mode, NoiseAccount account, PeerProfiles peers,
        SearchAdvice advice, double wander) implements SearchState {

    /** Part of the last minute with noise above which the load is not raised for the first time. */
    private static final double MAX_NOISY_START = 0.45;

    /** Length of the confirm phase up to which a search that begins anew has lost little. */
    private static final double EARLY_SECONDS = 30;

    /** The mode of the gate. */
    public sealed interface Mode {

        /**
         * The gate learns the usual speed of the peers.
         *
         * @param seconds so far
         */
        record Watching(double seconds) implements Mode {}

        /** There is no noise; the search goes on. */
        record Open() implements Mode {}

        /**
         * There is noise, or a queue that it left at the SUT.
         *
         * @param level load of the search, requests/s
         * @param low load until the noise is over, requests/s
         * @param clearSeconds for which peers have had their usual speed and no requests have queued at the SUT
         * @param usualSeconds for which peers have had their usual speed
         * @param noisySeconds for which peers have been slow
         */
        record Shut(double level, double low, double clearSeconds, double usualSeconds,
                double noisySeconds) implements Mode {}

        /**
         * The noise is over; the load goes back to the level.
         *
         * @param level load of the search, requests/s
         * @param seconds until windows count again
         */
        record Opening(double level, double seconds) implements Mode {}

        /** Noise comes so often that it is a state of the machine: its windows count like any other. */
        record Beside() implements Mode {}
    }

    /** Returns true when the search is cold or nothing is measured: at the beginning of the watch, and in noise. */
    @Override
    public boolean cold() {
        return search.cold() || !countsLastWindow() || !isMeasured();
    }

    @Override
    public boolean settledInBaseline() {
        return search.settledInBaseline();
    }

    @Override
    public boolean countsLastWindow() {
        return switch (mode) {
            case Mode.Open open -> true;
            case Mode.Beside beside -> true;
            case Mode.Watching watching -> isMeasured();
            case Mode.Shut shut -> false;
            case Mode.Opening opening -> false;
        };
    }

    /** Returns true when the search has taken a window. */
    boolean isMeasured() {
        return !(search instanceof Baselining now) || now.sample().seconds() > 0 || !Double.isNaN(now.latency());
    }

    @Override
    public Optional<NoiseAccount> noise() {
        return account.watchedSeconds() > 0 || account.cutSeconds() > 0 || besideNeighbours()
                ? Optional.of(account)
                : Optional.empty();
    }

    @Override
    public String noisyPeers() {
        return peers.noisyPeers();
    }

    @Override
    public boolean peersAreIll() {
        return peers.ill() > NoiseAccount.ILL;
    }

    @Override
    public boolean besideNeighbours() {
        return mode instanceof Mode.Beside;
    }

    @Override
    public OptionalDouble speedWander() {
        return Double.isNaN(wander) ? OptionalDouble.empty() : OptionalDouble.of(wander);
    }

    @Override
    public int stalls() {
        return search.stalls();
    }

    /** Returns true when noise has shown as a state of the machine before the search has learnt much about a quiet one. */
    boolean isNoiseNewState() {
        boolean early = switch (search) {
            case SearchPhaseState.Baselining now -> true;
            case SearchPhaseState.Ramping now -> now.searchHistory().isEmpty();
            case SearchPhaseState.Confirming now ->
                now.common().signals().seconds() - now.history().since() < EARLY_SECONDS;
            case SearchPhaseState.Draining now -> now.then() instanceof SearchPhaseState.Then.RampEnds;
            case Ended now -> false;
        };
        return early && !(mode instanceof Mode.Watching) && !besideNeighbours() && account.isNoiseState();
    }

    /** @param deviation the new variation; NaN keeps the present one */
    GatedState wandering(double deviation) {
        return Double.isNaN(deviation) ? this : new GatedState(search, mode, account, peers, advice, deviation);
    }

    GatedState with(NoiseAccount newAccount) {
        return new GatedState(search, mode, newAccount, peers, advice, wander);
    }

    GatedState with(SearchPhaseState newSearch, Mode newMode, SearchAdvice newAdvice) {
        return new GatedState(newSearch, newMode, account, peers, newAdvice, wander);
    }

    GatedState with(Mode newMode, SearchAdvice newAdvice) {
        return with(search, newMode, newAdvice);
    }

    /**
     * Returns the state when frequent noise is over, or the peers break the SLA beside it. What was learnt beside it, also in a first
     * ramp, is about another capacity.
     *
     * @param anew the state in which a search begins
     */
    GatedState afterNoise(SearchPhaseState anew) {
        return with(account.anew()).with(anew, new Mode.Open(), advice);
    }

    /** Returns the state in which noise is cut out again. */
    GatedState cuttingOut(SearchPhaseState newSearch) {
        return with(account.with(NoiseEpisodes.NONE)).with(newSearch, new Mode.Open(), advice);
    }

    /** Takes the search's next state and advice, with the gate's own count of steps. Beside noise an interval is wider. */
    GatedState following(SearchPhaseState next, Mode newMode) {
        var given = next.advice();
        var wider = newMode instanceof Mode.Beside
                ? given.estimate().filter(CapacityEstimate::bounded).map(account.episodes()::widen)
                : Optional.<CapacityEstimate>empty();
        var answer = wider.filter(unused -> given.action() == Action.DONE);
        return with(next, newMode, new SearchAdvice(answer.map(NextStepDecider::action).orElse(given.action()),
                given.requestsPerSecond(), phase(given), answer.map(NextStepDecider::words).orElse(given.reason()),
                advice.step() + (given.step() != search.advice().step() ? 1 : 0), wider.or(given::estimate)));
    }

    /** Returns the advice of the watch. */
    SearchAdvice adviceToWatch(SearchInput window) {
        return advising(Action.HOLD, window.loads().natural(), "watching how fast the peers usually are", false);
    }

    /** Returns true before the first step that moves traffic, after too much noise in the last minute. */
    boolean isTooNoisyToStart(SearchPhaseState next) {
        return search instanceof Baselining && !(next instanceof Baselining) && account.noisyPart() > MAX_NOISY_START;
    }

    /** Returns the gate's own advice. */
    SearchAdvice advising(Action action, double requestsPerSecond, String reason, boolean moves) {
        var last = search.advice();
        return new SearchAdvice(action, requestsPerSecond, phase(last), reason, advice.step() + (moves ? 1 : 0),
                last.estimate());
    }

    /** Returns the phase to report. After noise has taken a ramp back to the baseline, the phase does not go back. */
    private Phase phase(SearchAdvice given) {
        return given.phase() == Phase.BASELINE ? advice.phase() : given.phase();
    }

    GatedState endBySharedBottleneck() {
        return end(search, "shared-bottleneck: " + noisyPeers() + " get slow far more often while the SUT is loaded: "
                + "a resource that they share limits them, and one instance's capacity cannot be measured");
    }

    GatedState endBeforeStart() {
        return end(search, String.format(Locale.ROOT,
                "noise: %s were slow for %.0f %% of the last minute, so the load was not raised", noisyPeers(),
                100 * account.noisyPart()));
    }

    GatedState endWithTooLittle(SearchPhaseState last) {
        return end(last, String.format(Locale.ROOT,
                "noise: %.0f of %.0f s were left out, %s, and what is left is too little", account.cutSeconds(),
                account.seconds(), NoiseAccount.whyLeftOut(noisyPeers())));
    }

    /** Ends the search without a number, with the load that held. */
    GatedState end(SearchPhaseState last, String words) {
        var held = last.advice().estimate().map(CapacityEstimate::lastGood).orElse(OptionalDouble.empty());
        var bound = held.isPresent()
                ? Optional.of(NextStepDecider.bound(held.getAsDouble()))
                : Optional.<CapacityEstimate>empty();
        var ended = new Ended(last.common().end(Action.GIVE_UP, words, bound), last.results());
        return with(ended, besideNeighbours() ? mode : new Mode.Open(), ended.advice());
    }
}
