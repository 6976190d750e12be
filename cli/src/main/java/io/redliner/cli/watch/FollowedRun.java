// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.client.TerminalSafeText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The newest view of a run that is being followed, and its events since. Not for several threads. */
public final class FollowedRun {

    private static final int KEPT = 400;

    private static final String LATENCY_P99 = "latency.p99";

    private static final String BREACHED = "BREACHED";

    private JsonNode run = MissingNode.getInstance();

    private JsonNode event = MissingNode.getInstance();

    private JsonNode window = MissingNode.getInstance();

    private final List<Double> p99s = new ArrayList<>();

    private double harmSince;

    /**
     * A value of a rule against its threshold, both in the rule's unit.
     *
     * @param used the part of the threshold that is used up; above 1 it is broken
     */
    record Limit(String name, @Nullable Double value, @Nullable Double threshold, String unit, double used) {

        /** Returns the value and its threshold, such as {@code 152 ms of 400 ms}. */
        String text() {
            return NumberFormatter.value(value, unit) + " of " + NumberFormatter.value(threshold, unit);
        }
    }

    /** An estimate, requests/s; {@code high} is null while nothing broke the SLA. */
    record Estimate(double capacity, @Nullable Double low, @Nullable Double high, String limitingRule) {}

    /** Takes the run as the API presents it now. */
    void snapshot(JsonNode view) {
        run = view;
        harmSince = 0;
        if (sequence(event) > snapshotSequence()) {
            harmSince = harm(event);
        }
    }

    /** Takes one decision. */
    void happened(JsonNode decision) {
        event = decision;
        JsonNode newWindow = decision.path("window");
        if (newWindow.isObject()) {
            window = newWindow;
            Double p99 = p99();
            p99s.add(p99 == null ? Double.NaN : p99);
            if (p99s.size() > KEPT) {
                p99s.removeFirst();
            }
        }
        if (sequence(decision) > snapshotSequence()) {
            harmSince += harm(decision);
        }
    }

    private long snapshotSequence() {
        return run.path("journalSequence").asLong(0);
    }

    private static long sequence(JsonNode decision) {
        return decision.path("sequence").asLong(-1);
    }

    private static double harm(JsonNode decision) {
        return decision.path("window").path("harmRequests").asDouble(0);
    }

    String text(String field) {
        return TerminalSafeText.text(run.path(field));
    }

    String phase() {
        return event.isMissingNode() ? text("phase") : TerminalSafeText.text(event.path("phase"));
    }

    String reason() {
        String reason = TerminalSafeText.text(event.path("reason"));
        return reason.isEmpty() ? TerminalSafeText.text(window.path("advice").path("reason")) : reason;
    }

    String judgement() {
        return TerminalSafeText.text(window.path("judgement"));
    }

    /** Returns whether the newest window broke the SLA or a guard. */
    boolean isBreached() {
        return judgement().equals(BREACHED);
    }

    int step() {
        return window.path("advice").path("step").asInt(0);
    }

    /** Returns the time since the run was submitted, by the controller's clock. */
    Duration elapsed(Instant now) {
        Instant from = instant(run.path("submittedAt"));
        return from == null ? Duration.ZERO : Duration.between(from, now);
    }

    Duration maxDuration() {
        return Duration.ofMillis((long) (run.path("maxDurationSeconds").asDouble(0) * 1000));
    }

    @Nullable
    Double maxShare() {
        return TerminalSafeText.number(run.path("maxShare"));
    }

    @Nullable
    Double askedShare() {
        Double after = TerminalSafeText.number(event.path("askedShare"));
        return after == null ? TerminalSafeText.number(run.path("askedShare")) : after;
    }

    @Nullable
    Double measuredShare() {
        return TerminalSafeText.number(window.path("shareMeasured"));
    }

    @Nullable
    Double requestsPerSecond() {
        return TerminalSafeText.number(window.path("requestsPerSecond"));
    }

    @Nullable
    Double serviceRequestsPerSecond() {
        return TerminalSafeText.number(window.path("serviceRequestsPerSecond"));
    }

    @Nullable
    Double p99() {
        return TerminalSafeText.number(window.path("latencyP99Seconds"));
    }

    /** Returns the 99th percentiles of the last windows, in seconds; NaN for windows without an answer. */
    List<Double> p99s() {
        return Collections.unmodifiableList(p99s);
    }

    /** Returns the threshold of the 99th percentile in seconds, where the SLA has one. */
    @Nullable
    Double p99Limit() {
        return TerminalSafeText.number(p99Rule().path("threshold"));
    }

    /**
     * Returns the 99th percentile beside its threshold. Without an answer it is unknown, but requests that hang break a
     * threshold, too.
     */
    String p99Text() {
        Double p99 = p99();
        Double limit = p99Limit();
        if (p99 != null) {
            return NumberFormatter.seconds(p99) + (limit == null ? "" : " of " + NumberFormatter.seconds(limit));
        }
        boolean broken = p99Rule().path("judgement").asString("").equals(BREACHED);
        return broken && limit != null ? "beyond " + NumberFormatter.seconds(limit) : "unknown";
    }

    private JsonNode p99Rule() {
        for (JsonNode rule : window.path("rules")) {
            if (isOfSla(rule) && rule.path("unit").asString("").equals("seconds")
                    && rule.path("expression").asString("").startsWith(LATENCY_P99)) {
                return rule;
            }
        }
        return MissingNode.getInstance();
    }

    /** Returns the rule of the SLA that is nearest to its threshold, or furthest beyond it. */
    @Nullable
    Limit nearest() {
        Limit nearest = null;
        for (JsonNode rule : window.path("rules")) {
            Double used = TerminalSafeText.number(rule.path("utilisation"));
            if (isOfSla(rule) && used != null && (nearest == null || used > nearest.used())) {
                nearest = new Limit(TerminalSafeText.text(rule.path("name")),
                        TerminalSafeText.number(rule.path("value")),
                        TerminalSafeText.number(rule.path("threshold")), TerminalSafeText.text(rule.path("unit")),
                        used);
            }
        }
        return nearest;
    }

    private static boolean isOfSla(JsonNode rule) {
        return !rule.path("guard").asBoolean(false) && !rule.path("informational").asBoolean(false);
    }

    /** Returns the requests harmed so far: the controller's count, and those of later windows. */
    double harm() {
        return Math.max(0, run.path("harm").path("requests").asDouble(0) + harmSince);
    }

    @Nullable
    Double harmAllowed() {
        return TerminalSafeText.number(run.path("harm").path("allowed"));
    }

    /** Returns the estimate of the search; null while it has none, or the controller does not report it. */
    @Nullable
    Estimate estimate() {
        JsonNode estimate = window.path("estimate");
        Double capacity = TerminalSafeText.number(estimate.path("capacity"));
        if (capacity == null) {
            return null;
        }
        Double high = TerminalSafeText.number(estimate.path("high"));
        return new Estimate(capacity, TerminalSafeText.number(estimate.path("low")),
                high == null || high <= 0 ? null : high,
                TerminalSafeText.text(estimate.path("limitingRule")));
    }

    boolean hasWindow() {
        return !window.isMissingNode();
    }

    /** Returns the age of the newest window; null while there is none. */
    @Nullable
    Duration age(Instant now) {
        Instant from = instant(window.path("startedAt"));
        return from == null
                ? null
                : Duration.between(from.plusMillis((long) (1000 * lengthSeconds())), now);
    }

    /**
     * Returns whether the numbers are older than those of a run whose windows arrive regularly. A window is judged some time
     * after its end, and the clock of another machine is known to a second.
     */
    boolean isStale(Instant now) {
        Duration age = age(now);
        return age != null && age.compareTo(Duration.ofMillis((long) (2000 * lengthSeconds()) + 4500)) > 0;
    }

    private double lengthSeconds() {
        return window.path("lengthSeconds").asDouble(1);
    }

    /** Returns the values whose change is worth a line; they do not change with every window. */
    List<Object> situation() {
        Double asked = askedShare();
        return List.of(phase(), asked == null ? -1L : Math.round(asked * 1000), judgement(), step(),
                Objects.requireNonNullElse(outcome(), ""));
    }

    private @Nullable String outcome() {
        return event.hasNonNull("outcome") ? TerminalSafeText.text(event.path("outcome")) : null;
    }

    private static @Nullable Instant instant(JsonNode node) {
        try {
            return node.isString() ? Instant.parse(node.asString("")) : null;
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
