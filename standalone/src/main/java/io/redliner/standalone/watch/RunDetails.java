// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.watch;

import io.redliner.standalone.remote.Plain;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** All that matters of one run or series, for people. */
public final class RunDetails {

    private RunDetails() {}

    /** Lines for people. */
    public static List<String> of(JsonNode view) {
        return view.has("members") ? ofSeries(view) : ofRun(view);
    }

    private static List<String> ofSeries(JsonNode series) {
        List<String> lines = new ArrayList<>();
        lines.add("Series " + Plain.text(series.path("id")) + ": " + Plain.text(series.path("profile")) + " of "
                + Plain.text(series.path("service")) + ", plan " + Plain.text(series.path("plan")));
        lines.add(phase(series));
        Table members = new Table("NUMBER", "LABEL", "INSTANCE", "RUN", "OUTCOME");
        for (JsonNode member : series.path("members")) {
            String run = Plain.text(member.path("runId"));
            String outcome = Plain.text(member.path("outcome"));
            members.row(Plain.text(member.path("number")), Plain.text(member.path("label")),
                    Plain.text(member.path("instance")), run.isEmpty() ? "-" : run,
                    outcome.isEmpty() ? "-" : outcome + ", " + Plain.text(member.path("reason")));
        }
        lines.addAll(members.lines());
        String verdict = Plain.text(series.at("/result/verdict"));
        if (!verdict.isEmpty()) {
            lines.add(verdict + ": " + Plain.text(series.at("/result/words")));
        }
        exitCode(series, lines);
        return lines;
    }

    private static List<String> ofRun(JsonNode run) {
        List<String> lines = new ArrayList<>();
        lines.add("Run " + Plain.text(run.path("id")) + ": " + Plain.text(run.path("profile")) + " of "
                + Plain.text(run.path("service")) + ", " + Plain.text(run.path("sut")) + ", plan "
                + Plain.text(run.path("plan")));
        lines.add(phase(run));
        lines.add("Submitted " + Plain.text(run.path("submittedAt"))
                + (run.hasNonNull("finishedAt") ? ", finished " + Plain.text(run.path("finishedAt")) : ""));
        if (run.hasNonNull("choice")) {
            lines.add("Chosen: " + Plain.text(run.at("/choice/why")));
        }
        lines.add("Share asked " + Figures.percent(Plain.number(run.path("askedShare"))) + " (natural "
                + Figures.percent(Plain.number(run.path("naturalShare"))) + ", at most "
                + Figures.percent(Plain.number(run.path("maxShare"))) + ")");
        window(run.path("window"), lines);
        lines.addAll(Summary.findings(run));
        if (run.hasNonNull("previous")) {
            lines.add("Before: " + Figures.count(Plain.number(run.at("/previous/capacity"))) + " requests/s, in run "
                    + Plain.text(run.at("/previous/runId")) + "; changed by "
                    + Figures.percent(Plain.number(run.at("/previous/change"))));
        }
        Table conditions = new Table("CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE");
        for (JsonNode condition : run.path("conditions")) {
            conditions.row(Plain.text(condition.path("type")), Plain.text(condition.path("status")),
                    Plain.text(condition.path("reason")), Plain.text(condition.path("lastTransitionTime")),
                    Plain.text(condition.path("message")));
        }
        lines.addAll(conditions.lines());
        exitCode(run, lines);
        return lines;
    }

    private static String phase(JsonNode view) {
        String outcome = Plain.text(view.path("outcome"));
        String why = Plain.text(view.hasNonNull("stopReason") ? view.at("/stopReason/detail") : view.path("reason"));
        return Plain.text(view.path("phase")) + (outcome.isEmpty() ? "" : ": " + outcome)
                + (why.isEmpty() ? "" : ", " + why);
    }

    private static void window(JsonNode window, List<String> lines) {
        if (!window.isObject()) {
            return;
        }
        lines.add("Newest window, begun " + Plain.text(window.path("startedAt")) + ": "
                + Figures.count(Plain.number(window.path("requestsPerSecond"))) + " requests/s, p99 "
                + Figures.seconds(Plain.number(window.path("latencyP99Seconds"))) + ", "
                + Plain.text(window.path("judgement")));
        for (JsonNode rule : window.path("rules")) {
            String unit = Plain.text(rule.path("unit"));
            lines.add("  " + (rule.path("guard").asBoolean(false) ? "guard " : "") + Plain.text(rule.path("name")) + " "
                    + Plain.text(rule.path("judgement")) + ": "
                    + Figures.value(Plain.number(rule.path("value")), unit) + " against "
                    + Figures.value(Plain.number(rule.path("threshold")), unit));
        }
    }

    private static void exitCode(JsonNode view, List<String> lines) {
        if (view.path("exitCode").isInt()) {
            lines.add("Exit code " + view.path("exitCode").asInt());
        }
    }
}
