// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import io.redliner.controller.core.run.Estimate;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.Judgement;
import io.redliner.controller.core.run.TrafficSeen;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What is shown over time. Shares and ratios are 0 to 1, latencies seconds, rates requests/s. */
public enum Measure {

    SHARE_ASKED("shareAsked", Fold.MAX, window -> window.asked().ratio()), SHARE_ASKED_MIN("shareAskedMin", Fold.MIN,
            window -> window.asked().ratio()),
    /** Absent without requests. */
    SHARE_MEASURED("shareMeasured", Fold.MAX, Measure::share), SHARE_MEASURED_MIN("shareMeasuredMin", Fold.MIN,
            Measure::share), RATE("requestsPerSecond", Fold.MEAN, sut(TrafficSeen::requestsPerSecond)), RATE_MAX(
                    "requestsPerSecondMax", Fold.MAX,
                    sut(TrafficSeen::requestsPerSecond)), RATE_MIN("requestsPerSecondMin", Fold.MIN,
                            sut(TrafficSeen::requestsPerSecond)), SERVICE_RATE("serviceRequestsPerSecond", Fold.MEAN,
                                    window -> window.verdict().serviceRequestsPerSecond()), P50("latencyP50Seconds",
                                            Fold.MAX,
                                            window -> window.verdict().sut().latencyP50()), P99("latencyP99Seconds",
                                                    Fold.MAX, window -> window.verdict().sut().latencyP99()),
    /** Of the rule that {@link LatencyRule} names: what it measured, whatever percentile that is. */
    RULE_VALUE("latencyRuleSeconds", Fold.MAX, window -> LatencyRule.value(window.verdict())),
    /** The strictest, as it may move with the peers. */
    THRESHOLD("latencyThresholdSeconds", Fold.MIN, window -> LatencyRule.threshold(window.verdict())), COMPLETED(
            "completed", Fold.SUM, sut(TrafficSeen::completed)), ERRORS("errors", Fold.SUM, sut(TrafficSeen::errors)),
    /** Of the window with the most; absent where nothing completed. */
    ERROR_RATIO("errorRatio", Fold.MAX, window -> errorRatio(window.verdict().sut())), IN_FLIGHT("inFlight", Fold.MAX,
            sut(TrafficSeen::inFlight)), HARM("harmRequests", Fold.SUM, window -> window.verdict().harmRequests()),
    /** How much of its limit the rule has used that has used most, guards included; above 1 when it is broken. */
    UTILISATION("utilisation", Fold.MAX, LatencyRule::utilisation), BREACHED("breached", Fold.SUM,
            window -> count(window, Judgement.BREACHED)), INCONCLUSIVE("inconclusive", Fold.SUM,
                    window -> count(window, Judgement.INCONCLUSIVE)), PEERS_RATE("peersRequestsPerSecond", Fold.MEAN,
                            peers(TrafficSeen::requestsPerSecond)), PEERS_P50("peersLatencyP50Seconds", Fold.MAX,
                                    window -> window.verdict().peers().latencyP50()), PEERS_P99(
                                            "peersLatencyP99Seconds", Fold.MAX,
                                            window -> window.verdict().peers().latencyP99()), PEERS_ERROR_RATIO(
                                                    "peersErrorRatio", Fold.MAX,
                                                    window -> errorRatio(window.verdict().peers())), CAPACITY(
                                                            "estimateCapacity", Fold.LAST,
                                                            believed(Estimate::capacity)), CAPACITY_LOW("estimateLow",
                                                                    Fold.LAST, believed(Estimate::low)),
    /** Absent while nothing broke the SLA. */
    CAPACITY_HIGH("estimateHigh", Fold.LAST, believed(estimate -> estimate.high() > 0 ? estimate.high() : null));

    private final String word;

    private final Fold fold;

    @SuppressWarnings("ImmutableEnumChecker") // The functions above remember nothing.
    private final Function<JudgedWindow, @Nullable Double> value;

    Measure(String word, Fold fold, Function<JudgedWindow, @Nullable Double> value) {
        this.word = word;
        this.fold = fold;
        this.value = value;
    }

    /** As the API names it. */
    public String word() {
        return word;
    }

    /** What becomes of several windows. */
    public Fold fold() {
        return fold;
    }

    /** Of one window; absent when it was not measured, or is no number. */
    public @Nullable Double of(JudgedWindow window) {
        Double known = value.apply(window);
        return known != null && Double.isFinite(known) ? known : null;
    }

    private static Function<JudgedWindow, @Nullable Double> sut(ToDoubleFunction<TrafficSeen> part) {
        return window -> part.applyAsDouble(window.verdict().sut());
    }

    private static Function<JudgedWindow, @Nullable Double> peers(ToDoubleFunction<TrafficSeen> part) {
        return window -> part.applyAsDouble(window.verdict().peers());
    }

    private static Function<JudgedWindow, @Nullable Double> believed(Function<Estimate, @Nullable Double> part) {
        return window -> {
            Estimate estimate = window.verdict().estimate();
            return estimate == null || !estimate.usable() ? null : part.apply(estimate);
        };
    }

    private static @Nullable Double share(JudgedWindow window) {
        TrafficSeen sut = window.verdict().sut();
        Long requests = sut.shareRequests();
        return requests != null && requests == 0 ? null : sut.share().ratio();
    }

    private static @Nullable Double errorRatio(TrafficSeen traffic) {
        return traffic.completed() > 0 ? (double) traffic.errors() / traffic.completed() : null;
    }

    private static double count(JudgedWindow window, Judgement judgement) {
        return window.verdict().judgement() == judgement ? 1 : 0;
    }
}
