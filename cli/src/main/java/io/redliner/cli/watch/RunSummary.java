// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.client.TerminalSafeText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Summarizes a run or a series that is over, with the answer first. */
public final class RunSummary {

    private RunSummary() {}

    /** Returns the lines for people. */
    public static List<String> of(JsonNode over) {
        return over.has("members") ? ofSeries(over) : ofRun(over);
    }

    private static List<String> ofSeries(JsonNode series) {
        return List.of(
                "Finished: " + TerminalSafeText.text(series.path("outcome")) + ", "
                        + TerminalSafeText.text(series.path("reason")),
                TerminalSafeText.text(series.at("/result/verdict")) + ": "
                        + TerminalSafeText.text(series.at("/result/words")));
    }

    private static List<String> ofRun(JsonNode run) {
        List<String> lines = new ArrayList<>();
        lines.add("Finished: " + TerminalSafeText.text(run.path("outcome")) + ", "
                + TerminalSafeText.text(run.at("/stopReason/detail")));
        if (!run.at("/result/capacity").isNumber()) {
            add(lines, "", run.path("headline"));
        }
        lines.addAll(findings(run));
        return lines;
    }

    /** Returns lines with the results, the harm and the state of the traffic; for a run that goes on, those known so far. */
    static List<String> findings(JsonNode run) {
        List<String> lines = new ArrayList<>();
        capacity(run.path("result"), "Capacity ", lines);
        if (run.hasNonNull("estimate")) {
            JsonNode estimate = run.path("estimate");
            lines.add("Believed, not confirmed: " + NumberFormatter.interval(
                    TerminalSafeText.number(estimate.path("capacity")),
                    TerminalSafeText.number(estimate.path("low")), TerminalSafeText.number(estimate.path("high"))));
        }
        add(lines, "", run.at("/report/words"));
        for (JsonNode finding : run.path("bottleneck")) {
            lines.add("Bottleneck " + TerminalSafeText.text(finding.path("resource")) + ": "
                    + TerminalSafeText.text(finding.path("words")));
        }
        for (JsonNode check : run.path("validity")) {
            String verdict = TerminalSafeText.text(check.path("verdict"));
            if (verdict.equals("DOUBTFUL") || verdict.equals("INVALID")) {
                lines.add(verdict.charAt(0) + verdict.substring(1).toLowerCase(java.util.Locale.ROOT) + ": "
                        + TerminalSafeText.text(check.path("words")));
            }
        }
        harm(run.path("harm"), lines);
        if (run.path("restore").isObject()) {
            lines.add(restored(run.path("restore")));
        }
        return lines;
    }

    private static String restored(JsonNode restore) {
        return switch (TerminalSafeText.text(restore.path("traffic"))) {
            case "NOT_NATURAL" -> "TRAFFIC IS NOT NATURAL: " + TerminalSafeText.text(restore.path("detail"));
            case "NATURAL" -> "Traffic restored: " + TerminalSafeText.text(restore.path("proof")) + " after "
                    + NumberFormatter.seconds(TerminalSafeText.number(restore.path("seconds")));
            default -> "It is not known whether traffic is natural: " + TerminalSafeText.text(restore.path("detail"));
        };
    }

    private static void capacity(JsonNode result, String before, List<String> lines) {
        Double capacity = TerminalSafeText.number(result.path("capacity"));
        if (capacity == null) {
            return;
        }
        String rule = TerminalSafeText.text(result.path("limitingRule"));
        List<String> names = new ArrayList<>();
        result.path("doubts").forEach(name -> names.add(TerminalSafeText.text(name)));
        String doubts = names.isEmpty() ? "" : ", doubtful: " + String.join(", ", names);
        if (result.path("lowerBound").asBoolean(false)) {
            lines.add(
                    before + "at least " + NumberFormatter.count(capacity) + " requests/s; there was no more traffic"
                            + doubts);
            return;
        }
        lines.add(before + NumberFormatter.interval(capacity, TerminalSafeText.number(result.path("low")),
                TerminalSafeText.number(result.path("high"))) + (rule.isEmpty() ? "" : ", limited by " + rule)
                + doubts);
    }

    private static void harm(JsonNode harm, List<String> lines) {
        Double requests = TerminalSafeText.number(harm.path("requests"));
        Double allowed = TerminalSafeText.number(harm.path("allowed"));
        Double anyway = TerminalSafeText.number(harm.path("anyway"));
        if (requests != null) {
            lines.add("Harm by the test " + NumberFormatter.count(requests) + " requests"
                    + (allowed == null ? "" : " of " + NumberFormatter.count(allowed) + " that the budget allows")
                    + (anyway == null ? "" : "; harm anyway " + NumberFormatter.count(anyway) + " requests"));
        }
    }

    private static void add(List<String> lines, String before, JsonNode words) {
        String text = TerminalSafeText.text(words);
        if (!text.isEmpty()) {
            lines.add(before + text);
        }
    }
}
