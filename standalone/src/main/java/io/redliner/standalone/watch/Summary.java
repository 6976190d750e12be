// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.watch;

import io.redliner.standalone.remote.Plain;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What is said of a run or a series that is over: the answer first. */
public final class Summary {

    private Summary() {}

    /** Lines for people. */
    public static List<String> of(JsonNode over) {
        return over.has("members") ? ofSeries(over) : ofRun(over);
    }

    private static List<String> ofSeries(JsonNode series) {
        return List.of("Finished: " + Plain.text(series.path("outcome")) + ", " + Plain.text(series.path("reason")),
                Plain.text(series.at("/result/verdict")) + ": " + Plain.text(series.at("/result/words")));
    }

    private static List<String> ofRun(JsonNode run) {
        List<String> lines = new ArrayList<>();
        lines.add("Finished: " + Plain.text(run.path("outcome")) + ", " + Plain.text(run.at("/stopReason/detail")));
        if (!run.at("/result/capacity").isNumber()) {
            add(lines, "", run.path("headline"));
        }
        lines.addAll(findings(run));
        return lines;
    }

    /** What was found, what it cost, and whether traffic is as before; of a run that goes on, what is known so far. */
    static List<String> findings(JsonNode run) {
        List<String> lines = new ArrayList<>();
        capacity(run.path("result"), "Capacity ", lines);
        if (run.hasNonNull("estimate")) {
            JsonNode estimate = run.path("estimate");
            lines.add("Believed, not confirmed: " + Figures.interval(Plain.number(estimate.path("capacity")),
                    Plain.number(estimate.path("low")), Plain.number(estimate.path("high"))));
        }
        add(lines, "", run.at("/report/words"));
        for (JsonNode finding : run.path("bottleneck")) {
            lines.add("Bottleneck " + Plain.text(finding.path("resource")) + ": " + Plain.text(finding.path("words")));
        }
        for (JsonNode check : run.path("validity")) {
            String verdict = Plain.text(check.path("verdict"));
            if (verdict.equals("DOUBTFUL") || verdict.equals("INVALID")) {
                lines.add(verdict.charAt(0) + verdict.substring(1).toLowerCase(java.util.Locale.ROOT) + ": "
                        + Plain.text(check.path("words")));
            }
        }
        harm(run.path("harm"), lines);
        if (run.path("restore").isObject()) {
            lines.add(restored(run.path("restore")));
        }
        return lines;
    }

    private static String restored(JsonNode restore) {
        return switch (Plain.text(restore.path("traffic"))) {
            case "NOT_NATURAL" -> "TRAFFIC IS NOT NATURAL: " + Plain.text(restore.path("detail"));
            case "NATURAL" -> "Traffic restored: " + Plain.text(restore.path("proof")) + " after "
                    + Figures.seconds(Plain.number(restore.path("seconds")));
            default -> "It is not known whether traffic is natural: " + Plain.text(restore.path("detail"));
        };
    }

    private static void capacity(JsonNode result, String before, List<String> lines) {
        Double capacity = Plain.number(result.path("capacity"));
        if (capacity == null) {
            return;
        }
        String rule = Plain.text(result.path("limitingRule"));
        List<String> names = new ArrayList<>();
        result.path("doubts").forEach(name -> names.add(Plain.text(name)));
        String doubts = names.isEmpty() ? "" : ", doubtful: " + String.join(", ", names);
        if (result.path("lowerBound").asBoolean(false)) {
            lines.add(
                    before + "at least " + Figures.count(capacity) + " requests/s; there was no more traffic" + doubts);
            return;
        }
        lines.add(before + Figures.interval(capacity, Plain.number(result.path("low")),
                Plain.number(result.path("high"))) + (rule.isEmpty() ? "" : ", limited by " + rule)
                + doubts);
    }

    private static void harm(JsonNode harm, List<String> lines) {
        Double requests = Plain.number(harm.path("requests"));
        Double allowed = Plain.number(harm.path("allowed"));
        if (requests != null) {
            lines.add("Harm " + Figures.count(requests) + " requests"
                    + (allowed == null ? "" : " of " + Figures.count(allowed) + " that the budget allows"));
        }
    }

    private static void add(List<String> lines, String before, JsonNode words) {
        String text = Plain.text(words);
        if (!text.isEmpty()) {
            lines.add(before + text);
        }
    }
}
