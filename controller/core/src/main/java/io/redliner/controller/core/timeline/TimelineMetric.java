// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.sla.Judgement;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The metrics that are shown over time. Shares and ratios are 0 to 1, latencies seconds, rates requests/s. */
public enum TimelineMetric {

    SHARE_ASKED("shareAsked", Aggregation.MAX, window -> window.asked().ratio()), SHARE_ASKED_MIN("shareAskedMin",
            Aggregation.MIN,
            window -> window.asked().ratio()),
    /** Absent without requests. */
    SHARE_MEASURED("shareMeasured", Aggregation.MAX, TimelineMetric::share), SHARE_MEASURED_MIN("shareMeasuredMin",
            Aggregation.MIN,
            TimelineMetric::share), RATE("requestsPerSecond", Aggregation.MEAN,
                    sut(TrafficSample::requestsPerSecond)), RATE_MAX(
                            "requestsPerSecondMax", Aggregation.MAX,
                            sut(TrafficSample::requestsPerSecond)), RATE_MIN("requestsPerSecondMin", Aggregation.MIN,
                                    sut(TrafficSample::requestsPerSecond)), SERVICE_RATE("serviceRequestsPerSecond",
                                            Aggregation.MEAN,
                                            window -> window.verdict().serviceRequestsPerSecond()), P50(
                                                    "latencyP50Seconds",
                                                    Aggregation.MAX,
                                                    window -> window.verdict().sut().latencyP50()), P99(
                                                            "latencyP99Seconds",
                                                            Aggregation.MAX,
                                                            window -> window.verdict().sut().latencyP99()),
    /** The value of the rule that {@link LatencyRuleSelector} selects, whichever percentile it is about. */
    RULE_VALUE("latencyRuleSeconds", Aggregation.MAX, window -> LatencyRuleSelector.value(window.verdict())),
    /** The strictest limit, since a limit may depend on the peers. */
    THRESHOLD("latencyThresholdSeconds", Aggregation.MIN,
            window -> LatencyRuleSelector.threshold(window.verdict())), COMPLETED(
                    "completed", Aggregation.SUM,
                    sut(TrafficSample::completed)), ERRORS("errors", Aggregation.SUM, sut(TrafficSample::errors)),
    /** The ratio of the window with the largest one; absent when nothing completed. */
    ERROR_RATIO("errorRatio", Aggregation.MAX, window -> errorRatio(window.verdict().sut())), IN_FLIGHT("inFlight",
            Aggregation.MAX,
            sut(TrafficSample::inFlight)), HARM("harmRequests", Aggregation.SUM,
                    JudgedWindow::harm),
    /** The part of its limit that the most used rule or guard has reached; above 1 when it is broken. */
    UTILISATION("utilisation", Aggregation.MAX, LatencyRuleSelector::utilisation), BREACHED("breached", Aggregation.SUM,
            window -> count(window, Judgement.BREACHED)), INCONCLUSIVE("inconclusive", Aggregation.SUM,
                    window -> count(window, Judgement.INCONCLUSIVE)), PEERS_RATE("peersRequestsPerSecond",
                            Aggregation.MEAN,
                            peers(TrafficSample::requestsPerSecond)), PEERS_P50("peersLatencyP50Seconds",
                                    Aggregation.MAX,
                                    window -> window.verdict().peers().latencyP50()), PEERS_P99(
                                            "peersLatencyP99Seconds", Aggregation.MAX,
                                            window -> window.verdict().peers().latencyP99()), PEERS_ERROR_RATIO(
                                                    "peersErrorRatio", Aggregation.MAX,
                                                    window -> errorRatio(window.verdict().peers())), CAPACITY(
                                                            "estimateCapacity", Aggregation.LAST,
                                                            believed(CapacityEstimate::capacity)), CAPACITY_LOW(
                                                                    "estimateLow",
                                                                    Aggregation.LAST, believed(CapacityEstimate::low)),
    /** Absent while nothing broke the SLA. */
    CAPACITY_HIGH("estimateHigh", Aggregation.LAST, believed(estimate -> estimate.high() > 0 ? estimate.high() : null));

    private final String word;

    private final Aggregation aggregation;

    @SuppressWarnings("ImmutableEnumChecker") // The functions above remember nothing.
    private final Function<JudgedWindow, @Nullable Double> value;

    TimelineMetric(String word, Aggregation aggregation, Function<JudgedWindow, @Nullable Double> value) {
        this.word = word;
        this.aggregation = aggregation;
        this.value = value;
    }

    /** The name in the API. */
    public String wireName() {
        return word;
    }

    /** Combines the values of several windows. */
    public Aggregation aggregation() {
        return aggregation;
    }

    /** Returns the metric of one window; absent when it was not measured, or is no number. */
    public @Nullable Double of(JudgedWindow window) {
        Double known = value.apply(window);
        return known != null && Double.isFinite(known) ? known : null;
    }

    private static Function<JudgedWindow, @Nullable Double> sut(ToDoubleFunction<TrafficSample> part) {
        return window -> part.applyAsDouble(window.verdict().sut());
    }

    private static Function<JudgedWindow, @Nullable Double> peers(ToDoubleFunction<TrafficSample> part) {
        return window -> part.applyAsDouble(window.verdict().peers());
    }

    private static Function<JudgedWindow, @Nullable Double> believed(
            Function<CapacityEstimate, @Nullable Double> part) {
        return window -> {
            CapacityEstimate estimate = window.verdict().estimate();
            return estimate == null || !estimate.usable() ? null : part.apply(estimate);
        };
    }

    private static @Nullable Double share(JudgedWindow window) {
        TrafficSample sut = window.verdict().sut();
        Long requests = sut.shareRequests();
        return requests != null && requests == 0 ? null : sut.share().ratio();
    }

    private static @Nullable Double errorRatio(TrafficSample traffic) {
        return traffic.completed() > 0 ? (double) traffic.errors() / traffic.completed() : null;
    }

    private static double count(JudgedWindow window, Judgement judgement) {
        return window.verdict().judgement() == judgement ? 1 : 0;
    }
}
