// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static io.redliner.cli.client.TerminalSafeText.instant;
import static io.redliner.cli.client.TerminalSafeText.number;
import static io.redliner.cli.client.TerminalSafeText.text;
import static io.redliner.cli.client.TerminalSafeText.time;
import static io.redliner.cli.watch.NumberFormatter.count;
import static io.redliner.cli.watch.NumberFormatter.percent;
import static io.redliner.cli.watch.NumberFormatter.seconds;
import static io.redliner.cli.watch.NumberFormatter.value;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Formats runs and series as lines for people.
 *
 * @param layout of tables
 */
public record RunFormatter(TextLayout layout) {

    /** Where a view has the estimate of a search that goes on. */
    private static final String ESTIMATE = "/window/estimate";

    /** Returns the summary of a run or a series that is over, with the answer first. */
    static List<String> summary(JsonNode over) {
        if (over.has("members")) {
            return List.of("Finished: " + text(over.path("outcome")) + ", " + text(over.path("reason")), verdict(over));
        }
        List<String> lines = new ArrayList<>();
        lines.add("Finished: " + text(over.path("outcome")) + ", " + text(over.at("/stopReason/detail")));
        if (!over.at("/result/capacity").isNumber()) {
            add(lines, text(over.path("headline")));
        }
        lines.addAll(findings(over));
        return lines;
    }

    /**
     * Returns the details of one run or series.
     *
     * @param now by the controller's clock
     */
    public List<String> details(JsonNode view, Instant now) {
        List<String> lines = new ArrayList<>();
        if (view.has("members")) {
            series(view, lines);
        } else {
            run(view, now, lines);
        }
        if (view.path("exitCode").isInt()) {
            lines.add("Exit code " + view.path("exitCode").asInt());
        }
        return lines;
    }

    private void series(JsonNode series, List<String> lines) {
        lines.add("Series " + text(series.path("id")) + ": " + text(series.path("profile")) + " of "
                + text(series.path("service")) + ", plan " + text(series.path("plan")));
        lines.add(phase(series));
        lines.addAll(table(List.of("NUMBER", "LABEL", "INSTANCE", "RUN", "OUTCOME"), series.path("members"),
                member -> List.of(text(member.path("number")), text(member.path("label")),
                        text(member.path("instance")), orDash(text(member.path("runId"))),
                        member.hasNonNull("outcome")
                                ? text(member.path("outcome")) + ", " + text(member.path("reason"))
                                : "-")));
        if (series.at("/result").hasNonNull("verdict")) {
            lines.add(verdict(series));
        }
    }

    private static String verdict(JsonNode series) {
        return text(series.at("/result/verdict")) + ": " + text(series.at("/result/words"));
    }

    private void run(JsonNode run, Instant now, List<String> lines) {
        lines.add("Run " + text(run.path("id")) + ": " + text(run.path("profile")) + " of " + text(run.path("service"))
                + ", " + text(run.path("sut")) + ", plan " + text(run.path("plan")));
        lines.add(phase(run));
        add(lines, text(run.at("/pause/detail")));
        if (isLive(run)) {
            lines.add("Elapsed " + elapsed(run, now) + ", left at most " + left(run, now));
            lines.add("Estimate so far: " + (run.at(ESTIMATE + "/capacity").isNumber()
                    ? NumberFormatter.interval(run.at(ESTIMATE))
                    : "none yet"));
        }
        lines.add("Submitted " + time(run.path("submittedAt"))
                + (run.hasNonNull("finishedAt") ? ", finished " + time(run.path("finishedAt")) : ""));
        if (run.hasNonNull("choice")) {
            lines.add("Chosen: " + text(run.at("/choice/why")));
        }
        lines.add("Share asked " + percent(number(run.path("askedShare"))) + " (natural "
                + percent(number(run.path("naturalShare"))) + ", at most " + percent(number(run.path("maxShare")))
                + ")");
        if (run.path("window").isObject()) {
            window(run.path("window"), lines);
        }
        lines.addAll(findings(run));
        if (run.hasNonNull("previous")) {
            lines.add("Before: " + count(number(run.at("/previous/capacity"))) + " requests/s, in run "
                    + text(run.at("/previous/runId")) + "; changed by " + percent(number(run.at("/previous/change"))));
        }
        lines.addAll(table(List.of("CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE"), run.path("conditions"),
                condition -> List.of(text(condition.path("type")), text(condition.path("status")),
                        text(condition.path("reason")), time(condition.path("lastTransitionTime")),
                        text(condition.path("message")))));
    }

    private static String phase(JsonNode view) {
        String outcome = text(view.path("outcome"));
        String why = text(view.hasNonNull("stopReason") ? view.at("/stopReason/detail") : view.path("reason"));
        return text(view.path("phase")) + (outcome.isEmpty() ? "" : ": " + outcome) + (why.isEmpty() ? "" : ", " + why);
    }

    private static void window(JsonNode window, List<String> lines) {
        lines.add("Newest window, begun " + time(window.path("startedAt")) + ": "
                + count(number(window.path("requestsPerSecond"))) + " requests/s, p99 "
                + (window.path("latencyP99Seconds").isNumber()
                        ? seconds(number(window.path("latencyP99Seconds")))
                        : "unknown")
                + ", " + text(window.path("judgement")));
        for (JsonNode rule : window.path("rules")) {
            String unit = text(rule.path("unit"));
            lines.add("  " + (rule.path("guard").asBoolean(false) ? "guard " : "") + text(rule.path("name")) + " "
                    + text(rule.path("judgement")) + ": " + value(number(rule.path("value")), unit) + " against "
                    + value(number(rule.path("threshold")), unit));
        }
    }

    /** Returns the results, the harm and the state of the traffic; for a run that goes on, those known so far. */
    private static List<String> findings(JsonNode run) {
        List<String> lines = new ArrayList<>();
        if (run.at("/result/capacity").isNumber()) {
            lines.add("Capacity " + capacity(run.path("result")));
        }
        if (run.hasNonNull("estimate")) {
            lines.add("Believed, not confirmed: " + NumberFormatter.interval(run.path("estimate")));
        }
        add(lines, text(run.at("/report/words")));
        for (JsonNode finding : run.path("bottleneck")) {
            lines.add("Bottleneck " + text(finding.path("resource")) + ": " + text(finding.path("words")));
        }
        for (JsonNode check : run.path("validity")) {
            String verdict = text(check.path("verdict"));
            if (verdict.equals("DOUBTFUL") || verdict.equals("INVALID")) {
                lines.add(verdict.charAt(0) + verdict.substring(1).toLowerCase(Locale.ROOT) + ": "
                        + text(check.path("words")));
            }
        }
        if (run.at("/harm/requests").isNumber()) {
            lines.add(harm(run.path("harm")));
        }
        if (run.path("restore").isObject()) {
            lines.add(restored(run.path("restore")));
        }
        return lines;
    }

    /** Returns how sure a number is in a few words, with a comma before them; empty when sure. */
    private static String level(JsonNode result) {
        String level = text(result.at("/certainty/level"));
        return level.isEmpty() || level.equals("SURE") ? "" : ", " + level.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String capacity(JsonNode result) {
        String message = text(result.at("/certainty/words"));
        String certainty = message.isEmpty() ? "" : ", " + message;
        if (result.path("lowerBound").asBoolean(false)) {
            return NumberFormatter.interval(result) + "; there was no more traffic" + certainty;
        }
        String rule = text(result.path("limitingRule"));
        return NumberFormatter.interval(result) + (rule.isEmpty() ? "" : ", limited by " + rule) + certainty
                + combined(result.path("combined"));
    }

    private static String combined(JsonNode both) {
        return both.isObject()
                ? "; of " + both.path("runs").asInt() + " runs together: " + NumberFormatter.shortInterval(both)
                : "";
    }

    private static String harm(JsonNode harm) {
        return "Harm by the test " + count(number(harm.path("requests"))) + " requests"
                + (harm.path("allowed").isNumber()
                        ? " of " + count(number(harm.path("allowed"))) + " that the budget allows"
                        : "")
                + (harm.path("anyway").isNumber()
                        ? "; harm anyway " + count(number(harm.path("anyway"))) + " requests"
                        : "");
    }

    private static String restored(JsonNode restore) {
        return switch (text(restore.path("traffic"))) {
            case "NOT_NATURAL" -> "TRAFFIC IS NOT NATURAL: " + text(restore.path("detail"));
            case "NATURAL" -> "Traffic restored: " + text(restore.path("proof")) + " after "
                    + seconds(number(restore.path("seconds")));
            default -> "It is not known whether traffic is natural: " + text(restore.path("detail"));
        };
    }

    /**
     * Returns a table of the runs that are under way.
     *
     * @param now by the controller's clock
     */
    public List<String> live(List<JsonNode> runs, Instant now) {
        return runs.isEmpty()
                ? List.of("No run is under way.")
                : table(List.of("LIVE RUN", "SERVICE", "SUT", "PROFILE", "PHASE", "SHARE", "ESTIMATE", "ELAPSED",
                        "LEFT",
                        "HARM OF BUDGET"), runs,
                        run -> List.of(text(run.path("id")), text(run.path("service")), text(run.path("sut")),
                                text(run.path("profile")), livePhase(run), percent(number(run.path("askedShare"))),
                                run.at(ESTIMATE + "/capacity").isNumber()
                                        ? NumberFormatter.shortInterval(run.at(ESTIMATE))
                                        : "-",
                                elapsed(run, now), left(run, now), percent(number(run.at("/harm/used")))));
    }

    private static boolean isLive(JsonNode run) {
        return !text(run.path("phase")).equals("Finished");
    }

    /** Returns the time since a run was submitted. */
    private static String elapsed(JsonNode run, Instant now) {
        Instant from = instant(run.path("submittedAt"));
        return from == null ? "-" : NumberFormatter.clock(Duration.between(from, now));
    }

    /** Returns the time until a limit ends a run; unknown before it has begun, and once its end is decided. */
    private static String left(JsonNode run, Instant now) {
        Instant end = instant(run.at("/limit/at"));
        return end == null ? "-" : NumberFormatter.clock(Duration.between(now, end));
    }

    /** Adds to the phase of a paused run when its limit ends it. */
    private static String livePhase(JsonNode run) {
        String phase = text(run.path("phase"));
        return phase.equals("Paused") && run.hasNonNull("limit")
                ? phase + ", ends " + time(run.at("/limit/at"))
                : phase;
    }

    /** Returns a table of runs that are over. */
    public List<String> finished(List<JsonNode> runs) {
        return runs.isEmpty()
                ? List.of("No run is over.")
                : table(List.of("FINISHED RUN", "SERVICE", "SUT", "PROFILE", "OUTCOME", "CAPACITY", "CODE",
                        "FINISHED"), runs,
                        run -> List.of(text(run.path("id")), text(run.path("service")), text(run.path("sut")),
                                text(run.path("profile")), text(run.path("outcome")),
                                run.at("/result/capacity").isNumber()
                                        ? count(number(run.at("/result/capacity"))) + " requests/s"
                                                + level(run.path("result"))
                                        : "-",
                                run.path("exitCode").isInt() ? text(run.path("exitCode")) : "-",
                                time(run.path("finishedAt"))));
    }

    private List<String> table(List<String> heads, Iterable<JsonNode> documents,
            Function<JsonNode, List<String>> cells) {
        List<List<String>> rows = new ArrayList<>();
        documents.forEach(document -> rows.add(cells.apply(document)));
        return layout.table(heads, rows);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static void add(List<String> lines, String text) {
        if (!text.isEmpty()) {
            lines.add(text);
        }
    }
}
