// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.client.TerminalSafeText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Formats the details of one run or series, for people. */
public final class RunDetails {

    private RunDetails() {}

    /** Lines for people. */
    public static List<String> of(JsonNode view) {
        return view.has("members") ? ofSeries(view) : ofRun(view);
    }

    private static List<String> ofSeries(JsonNode series) {
        List<String> lines = new ArrayList<>();
        lines.add("Series " + TerminalSafeText.text(series.path("id")) + ": "
                + TerminalSafeText.text(series.path("profile")) + " of "
                + TerminalSafeText.text(series.path("service")) + ", plan "
                + TerminalSafeText.text(series.path("plan")));
        lines.add(phase(series));
        TextTable members = new TextTable("NUMBER", "LABEL", "INSTANCE", "RUN", "OUTCOME");
        for (JsonNode member : series.path("members")) {
            String run = TerminalSafeText.text(member.path("runId"));
            String outcome = TerminalSafeText.text(member.path("outcome"));
            members.row(TerminalSafeText.text(member.path("number")), TerminalSafeText.text(member.path("label")),
                    TerminalSafeText.text(member.path("instance")), run.isEmpty() ? "-" : run,
                    outcome.isEmpty() ? "-" : outcome + ", " + TerminalSafeText.text(member.path("reason")));
        }
        lines.addAll(members.lines());
        String verdict = TerminalSafeText.text(series.at("/result/verdict"));
        if (!verdict.isEmpty()) {
            lines.add(verdict + ": " + TerminalSafeText.text(series.at("/result/words")));
        }
        exitCode(series, lines);
        return lines;
    }

    private static List<String> ofRun(JsonNode run) {
        List<String> lines = new ArrayList<>();
        lines.add("Run " + TerminalSafeText.text(run.path("id")) + ": " + TerminalSafeText.text(run.path("profile"))
                + " of "
                + TerminalSafeText.text(run.path("service")) + ", " + TerminalSafeText.text(run.path("sut")) + ", plan "
                + TerminalSafeText.text(run.path("plan")));
        lines.add(phase(run));
        if (run.hasNonNull("pause")) {
            lines.add(TerminalSafeText.text(run.at("/pause/detail")));
        }
        lines.add("Submitted " + TerminalSafeText.text(run.path("submittedAt"))
                + (run.hasNonNull("finishedAt") ? ", finished " + TerminalSafeText.text(run.path("finishedAt")) : ""));
        if (run.hasNonNull("choice")) {
            lines.add("Chosen: " + TerminalSafeText.text(run.at("/choice/why")));
        }
        lines.add(
                "Share asked " + NumberFormatter.percent(TerminalSafeText.number(run.path("askedShare"))) + " (natural "
                        + NumberFormatter.percent(TerminalSafeText.number(run.path("naturalShare"))) + ", at most "
                        + NumberFormatter.percent(TerminalSafeText.number(run.path("maxShare"))) + ")");
        window(run.path("window"), lines);
        lines.addAll(RunSummary.findings(run));
        if (run.hasNonNull("previous")) {
            lines.add("Before: " + NumberFormatter.count(TerminalSafeText.number(run.at("/previous/capacity")))
                    + " requests/s, in run "
                    + TerminalSafeText.text(run.at("/previous/runId")) + "; changed by "
                    + NumberFormatter.percent(TerminalSafeText.number(run.at("/previous/change"))));
        }
        TextTable conditions = new TextTable("CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE");
        for (JsonNode condition : run.path("conditions")) {
            conditions.row(TerminalSafeText.text(condition.path("type")),
                    TerminalSafeText.text(condition.path("status")),
                    TerminalSafeText.text(condition.path("reason")),
                    TerminalSafeText.text(condition.path("lastTransitionTime")),
                    TerminalSafeText.text(condition.path("message")));
        }
        lines.addAll(conditions.lines());
        exitCode(run, lines);
        return lines;
    }

    private static String phase(JsonNode view) {
        String outcome = TerminalSafeText.text(view.path("outcome"));
        String why = TerminalSafeText
                .text(view.hasNonNull("stopReason") ? view.at("/stopReason/detail") : view.path("reason"));
        return TerminalSafeText.text(view.path("phase")) + (outcome.isEmpty() ? "" : ": " + outcome)
                + (why.isEmpty() ? "" : ", " + why);
    }

    private static void window(JsonNode window, List<String> lines) {
        if (!window.isObject()) {
            return;
        }
        Double p99 = TerminalSafeText.number(window.path("latencyP99Seconds"));
        lines.add("Newest window, begun " + TerminalSafeText.text(window.path("startedAt")) + ": "
                + NumberFormatter.count(TerminalSafeText.number(window.path("requestsPerSecond"))) + " requests/s, p99 "
                + (p99 == null ? "unknown" : NumberFormatter.seconds(p99)) + ", "
                + TerminalSafeText.text(window.path("judgement")));
        for (JsonNode rule : window.path("rules")) {
            String unit = TerminalSafeText.text(rule.path("unit"));
            lines.add("  " + (rule.path("guard").asBoolean(false) ? "guard " : "")
                    + TerminalSafeText.text(rule.path("name")) + " "
                    + TerminalSafeText.text(rule.path("judgement")) + ": "
                    + NumberFormatter.value(TerminalSafeText.number(rule.path("value")), unit) + " against "
                    + NumberFormatter.value(TerminalSafeText.number(rule.path("threshold")), unit));
        }
    }

    private static void exitCode(JsonNode view, List<String> lines) {
        if (view.path("exitCode").isInt()) {
            lines.add("Exit code " + view.path("exitCode").asInt());
        }
    }
}
