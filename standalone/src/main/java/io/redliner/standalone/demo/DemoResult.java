// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import io.redliner.controller.core.run.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The result of the demo's run, beside the true capacity.
 *
 * @param ending of the run
 * @param natural the odd instance's load without a test, requests/s
 * @param constructed its true capacity, requests/s
 * @param found what was measured, or null when nothing was
 * @param bottleneck what limited it, most likely first, each in words
 * @param harm that the run did
 * @param restoreSeconds from the decision to end until every proxy had acknowledged natural weights, or null
 * @param durationSeconds of the run
 */
public record DemoResult(Ending ending, double natural, double constructed, @Nullable Found found,
        List<String> bottleneck, Harm harm, @Nullable Double restoreSeconds, double durationSeconds) {

    /**
     * The end of a run.
     *
     * @param outcome as the API names it
     * @param stopReason why the run ended
     * @param exitCode the exit code that the controller has for pipelines
     */
    public record Ending(String outcome, String stopReason, int exitCode) {

        /** Returns whether the run found a lower bound. */
        boolean lowerBound() {
            return outcome.equals("TRAFFIC_EXHAUSTED");
        }
    }

    /**
     * The harm that a run did.
     *
     * @param requests that broke the SLA beyond what the peers saw
     * @param allowed what the plan's budget allowed, or null when the run ended before that was known
     */
    public record Harm(double requests, @Nullable Double allowed) {}

    /**
     * A measured capacity, requests/s, and the rule that limited it.
     *
     * @param capacity the answer
     * @param low lower end of its interval
     * @param high upper end of its interval
     * @param limitingRule by name
     * @param doubts names of the checks that doubt it
     */
    public record Found(double capacity, double low, double high, String limitingRule, List<String> doubts) {

        public Found {
            doubts = List.copyOf(doubts);
        }
    }

    static DemoResult of(JsonNode run, double constructed) {
        JsonNode result = run.path("result");
        Found found = result.isObject() && !result.path("lowerBound").asBoolean()
                ? new Found(result.path("capacity").asDouble(), result.path("low").asDouble(),
                        result.path("high").asDouble(), result.path("limitingRule").asString(),
                        result.path("doubts").valueStream().map(JsonNode::asString).toList())
                : null;
        return new DemoResult(
                new Ending(run.path("outcome").asString(), run.path("stopReason").path("detail").asString(),
                        run.path("exitCode").asInt(ExitCode.INCONCLUSIVE.code())),
                run.path("naturalShare").asDouble() * DemoService.TRAFFIC, constructed, found, bottleneck(run),
                new Harm(run.path("harm").path("requests").asDouble(), number(run.path("harm").path("allowed"))),
                number(run.path("restore").path("seconds")), durationSeconds(run));
    }

    private static double durationSeconds(JsonNode run) {
        return Duration.between(Instant.parse(run.path("submittedAt").asString()),
                Instant.parse(run.path("finishedAt").asString())).toMillis() / 1e3;
    }

    private static List<String> bottleneck(JsonNode run) {
        return run.path("bottleneck").valueStream()
                .map(finding -> finding.path("resource").asString() + ": " + finding.path("words").asString())
                .toList();
    }

    private static @Nullable Double number(JsonNode node) {
        return node.isNumber() ? node.asDouble() : null;
    }

    /** Returns whether there is an answer: a capacity, or a load that the instance took with ease. */
    boolean answered() {
        return found != null || ending.lowerBound();
    }

    /** Returns the measured capacity's relative difference from the constructed one, e.g. -0.02; NaN when nothing was found. */
    public double error() {
        return found == null ? Double.NaN : found.capacity() / constructed - 1;
    }

    public DemoResult {
        bottleneck = List.copyOf(bottleneck);
    }

    /** Returns the answer beside the truth for people: sentences, and a picture. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(sentences());
        lines.add("");
        lines.addAll(CapacityPicture.lines(natural, found, constructed));
        return lines;
    }

    private List<String> sentences() {
        String run = String.format(Locale.ROOT, " The run took %.0f s.", durationSeconds);
        if (found == null) {
            return List.of(String.format(Locale.ROOT, "By construction the instance takes %.0f requests/s", constructed)
                    + (ending.lowerBound() ? "." : "; nothing was found.") + run);
        }
        return List.of(
                String.format(Locale.ROOT, "The instance takes %.0f requests/s (95 %%: %.0f to %.0f).",
                        found.capacity(), found.low(), found.high()),
                String.format(Locale.ROOT, "By construction it takes %.0f: the answer is off by %+.1f %%.", constructed,
                        error() * 100) + run);
    }
}
