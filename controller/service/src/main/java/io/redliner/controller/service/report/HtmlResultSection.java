// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.RunReport.Head;
import io.redliner.controller.service.report.RunReport.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The result of a run, its cost and its reliability, for readers who read no further. */
final class HtmlResultSection {

    private final MarkupWriter markup;

    private final HtmlTables tables;

    private final RunReport report;

    private final Head head;

    HtmlResultSection(MarkupWriter markup, HtmlTables tables, RunReport report) {
        this.markup = markup;
        this.tables = tables;
        this.report = report;
        this.head = report.head();
    }

    void write() throws IOException {
        Result result = report.resultOrEstimate();
        if (head.headline() != null && report.result() == null) {
            markup.element("p", head.headline() + ": " + head.stopReason(), "class", "lead");
        }
        if (result != null) {
            capacity(result);
        } else {
            markup.element("p", head.live() ? "There is none yet." : "The run has no capacity as its result.");
        }
        List<Section.Fact> facts = new ArrayList<>();
        if (result != null) {
            facts.add(new Section.Fact("Limited by", limit(result)));
            facts.add(new Section.Fact("Highest load that held", NumberText.rate(result.lastGood())));
            facts.add(new Section.Fact("Lowest load that did not", NumberText.rate(result.firstBad())));
            facts.add(new Section.Fact("Before", previous(report.previous())));
        }
        facts.add(new Section.Fact("Harm by the test", report.harm().byTest()));
        facts.add(new Section.Fact("Traffic restored", report.restore() == null
                ? "not yet"
                : report.restore().describe()));
        if (!report.validity().isEmpty()) {
            facts.add(new Section.Fact("Checks of the measurement", checks(report.validity())));
        }
        tables.facts(facts);
    }

    private void capacity(Result result) throws IOException {
        if (report.result() == null) {
            markup.element("p", "The run has no result. This is what the search believed, and not to be relied on:",
                    "class", "live");
        }
        markup.open("p", "class", "capacity")
                .element("strong", (result.lowerBound() ? "at least " : "") + NumberText.rate(result.capacity()))
                .text(result.lowerBound()
                        ? " (lower bound " + NumberText.round(result.low()) + ")"
                        : " (" + NumberText.round(result.low()) + " to " + (result.high() > 0
                                ? NumberText.round(result.high())
                                : "unknown") + ")")
                .close("p");
        if (report.result() != null) {
            markup.element("p", meaning(result));
        }
    }

    private String meaning(Result result) {
        String subject = head.sut() + " of " + head.service();
        if (result.lowerBound()) {
            return "So much did " + subject
                    + " serve within its SLA. It can take more: the traffic, or the share that the plan "
                    + "allows, ended before a rule broke.";
        }
        return "So much can " + subject + " serve before it breaks its SLA; the true value is between "
                + NumberText.round(result.low()) + " and "
                + (result.high() > 0 ? NumberText.round(result.high()) : "an unknown bound")
                + " requests/s with a probability of 95 %. To be on the safe side, plan with the lower one.";
    }

    private String limit(Result result) {
        if (result.limitingRule().isEmpty()) {
            return "nothing";
        }
        Optional<RuleSummary> rule = report.rules()
                .stream()
                .filter(summary -> summary.name().equals(result.limitingRule()))
                .findFirst();
        String unit = rule.map(summary -> summary.worst().unit()).orElse("");
        return result.limitingRule() + ": " + NumberText.measure(result.limitingValue(), unit) + " against "
                + NumberText.measure(result.limitingThreshold(), unit)
                + rule.map(summary -> " (" + summary.expression() + ")").orElse("");
    }

    private static String previous(RunReport.@Nullable Previous previous) {
        if (previous == null) {
            return "nothing is known";
        }
        CapacityChange change = previous.change();
        return NumberText.rate(previous.capacity()) + ", change " + NumberText.signed(change.percent()) + " %"
                + (change.lowPercent() == null
                        ? ""
                        : " (" + NumberText.signed(change.lowPercent()) + " to "
                                + NumberText.signed(Objects.requireNonNullElse(change.highPercent(), Double.NaN)) + ")")
                + switch (change.significance()) {
                    case RISE -> ", a significant rise";
                    case FALL -> ", a significant fall";
                    case NOT_SIGNIFICANT -> ", not significant";
                    case UNKNOWN -> ", not comparable";
                };
    }

    private static String checks(List<SearchConclusion.ValidityCheck> checks) {
        String objections = checks.stream()
                .filter(check -> check.verdict() == Validity.DOUBTFUL || check.verdict() == Validity.INVALID)
                .map(check -> ", " + check.name() + " is "
                        + (check.verdict() == Validity.INVALID ? "invalid" : "doubtful"))
                .collect(Collectors.joining());
        long unknown = count(checks, Validity.UNKNOWN);
        return count(checks, Validity.OK) + " of " + checks.size() + " hold" + objections
                + (unknown == 0 ? "" : ", " + unknown + " could not be made");
    }

    private static long count(List<SearchConclusion.ValidityCheck> checks, Validity verdict) {
        return checks.stream().filter(check -> check.verdict() == verdict).count();
    }
}
