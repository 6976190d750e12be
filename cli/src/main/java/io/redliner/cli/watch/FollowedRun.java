// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The newest view of a run that is being followed, and its events since. Not for several threads. */
public final class FollowedRun {

    private static final int MAX_P99S = 400;

    static final String P99 = "latencyP99Seconds";

    private static final String BREACHED = "BREACHED";

    private JsonNode run = MissingNode.getInstance();

    private JsonNode event = MissingNode.getInstance();

    private JsonNode window = MissingNode.getInstance();

    private final List<Double> p99s = new ArrayList<>();

    private double harmSince;

    /**
     * A value of a rule against its threshold.
     *
     * @param used the part of the threshold that is used up; above 1 it is broken
     * @param text such as {@code 152 ms of 400 ms}
     */
    record Limit(String name, double used, String text) {}

    /** Updates the run with the API's present view. */
    void snapshot(JsonNode view) {
        run = view;
        harmSince = harmAfterSnapshot(event);
    }

    /** Updates the run with a decision. */
    void happened(JsonNode decision) {
        event = decision;
        if (decision.path("window").isObject()) {
            window = decision.path("window");
            Double p99 = number(window.path(P99));
            p99s.add(p99 == null ? Double.NaN : p99);
            if (p99s.size() > MAX_P99S) {
                p99s.removeFirst();
            }
        }
        harmSince += harmAfterSnapshot(decision);
    }

    /** Returns the requests that a window harmed and that the controller's count lacks. */
    private double harmAfterSnapshot(JsonNode decision) {
        return decision.path("sequence").asLong(-1) > run.path("journalSequence").asLong(0)
                ? decision.path("window").path("harmRequests").asDouble(0)
                : 0;
    }

    /** Returns the run as the API presented it last. */
    JsonNode view() {
        return run;
    }

    /** Returns the newest window; missing while there is none. */
    JsonNode window() {
        return window;
    }

    String phase() {
        return event.isMissingNode() ? text(run.path("phase")) : text(event.path("phase"));
    }

    String reason() {
        String reason = text(event.path("reason"));
        return reason.isEmpty() ? text(window.path("advice").path("reason")) : reason;
    }

    /** Returns whether the newest window broke the SLA or a guard. */
    boolean isBreached() {
        return window.path("judgement").asString("").equals(BREACHED);
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
    Double askedShare() {
        Double after = number(event.path("askedShare"));
        return after == null ? number(run.path("askedShare")) : after;
    }

    String requestsPerSecond() {
        return NumberFormatter.count(number(window.path("requestsPerSecond"))) + " requests/s";
    }

    /** Returns the 99th percentiles of the last windows, in seconds; NaN for windows without an answer. */
    List<Double> p99s() {
        return Collections.unmodifiableList(p99s);
    }

    /** Returns the threshold of the 99th percentile in seconds, where the SLA has one. */
    @Nullable
    Double p99Limit() {
        return number(p99Rule().path("threshold"));
    }

    /**
     * Returns the 99th percentile beside its threshold. Without answers it is unknown, but hanging requests break a threshold, too.
     */
    String p99Text() {
        Double p99 = number(window.path(P99));
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
                    && rule.path("expression").asString("").startsWith("latency.p99")) {
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
            Double used = number(rule.path("utilisation"));
            if (isOfSla(rule) && used != null && (nearest == null || used > nearest.used())) {
                String unit = text(rule.path("unit"));
                nearest = new Limit(text(rule.path("name")), used,
                        NumberFormatter.value(number(rule.path("value")), unit) + " of "
                                + NumberFormatter.value(number(rule.path("threshold")), unit));
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

    /** Returns the estimate of the search; it has no capacity while there is none, or the controller does not report it. */
    JsonNode estimate() {
        JsonNode estimate = window.path("estimate");
        return estimate.path("capacity").isNumber() ? estimate : MissingNode.getInstance();
    }

    /** Returns the age of the newest window; null while there is none. */
    @Nullable
    Duration age(Instant now) {
        Instant from = instant(window.path("startedAt"));
        return from == null ? null : Duration.between(from.plusMillis((long) (1000 * lengthSeconds())), now);
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
        Double share = askedShare();
        return List.of(phase(), share == null ? -1L : Math.round(share * 1000), text(window.path("judgement")),
                window.path("advice").path("step").asInt(0), text(event.path("outcome")));
    }

    private static @Nullable Instant instant(JsonNode node) {
        try {
            return node.isString() ? Instant.parse(node.asString("")) : null;
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
