// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.RunReport.ConditionLine;
import io.redliner.controller.service.report.RunReport.StepLine;
import io.redliner.controller.service.report.Section.Fact;
import io.redliner.controller.service.report.Section.Table;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The tables of the page. */
final class HtmlTables {

    private final MarkupWriter markup;

    private final Instant zero;

    /** @param zero where the tables' time begins, as that of the charts does */
    HtmlTables(MarkupWriter markup, Instant zero) {
        this.markup = markup;
        this.zero = zero;
    }

    private String clock(Instant at) {
        return at.isBefore(zero)
                ? "before"
                : ReportCharts.clock(Math.floor(Duration.between(zero, at).toMillis() / 1000.0));
    }

    void facts(List<Fact> facts) throws IOException {
        if (facts.isEmpty()) {
            return;
        }
        markup.open("dl");
        for (Fact fact : facts) {
            markup.open("div").element("dt", fact.name()).element("dd", fact.value()).close("div");
        }
        markup.close("dl").line();
    }

    void table(Table table) throws IOException {
        markup.open("div", "class", "table", "tabindex", "0", "role", "region", "aria-label", table.caption())
                .open("table")
                .element("caption", table.caption())
                .open("thead")
                .open("tr");
        for (String column : table.columns()) {
            markup.element("th", column, "scope", "col");
        }
        markup.close("tr").close("thead").open("tbody").line();
        for (List<String> row : table.rows()) {
            markup.open("tr");
            for (String cell : row) {
                markup.element("td", cell);
            }
            markup.close("tr").line();
        }
        markup.close("tbody").close("table").close("div").line();
    }

    void claims(List<ReportCheck> claims) throws IOException {
        table(new Table("What the run was to show", List.of("Group", "Claim", "Verdict", "Said"),
                claims.stream()
                        .map(claim -> List.of(claim.group(), claim.name(), claim.verdict().name(), claim.message()))
                        .toList()));
    }

    void rules(List<RuleSummary> rules) throws IOException {
        table(new Table("Each rule over all windows",
                List.of("Rule", "Kind", "Expression", "Windows", "Broken", "No answer", "Worst", "At"),
                rules.stream()
                        .map(rule -> List.of(rule.name(),
                                (rule.guard() ? "guard" : "SLA") + (rule.informational() ? ", informational" : ""),
                                rule.expression(), Long.toString(rule.windows()), Long.toString(rule.breached()),
                                Long.toString(rule.inconclusive()),
                                NumberText.measure(rule.worst().value(), rule.worst().unit()) + " against "
                                        + NumberText.measure(rule.worst().threshold(), rule.worst().unit()),
                                clock(rule.worstAt())))
                        .toList()));
    }

    void steps(List<StepLine> steps) throws IOException {
        table(new Table("Steps that ended",
                List.of("Step", "Began", "Lasted", "Share", "Asked for", "Arrived", "Windows", "Broken",
                        "Limit used", "By"),
                steps.stream()
                        .map(step -> List.of(Integer.toString(step.number()), clock(step.startedAt()),
                                DurationText.spell(step.seconds()), NumberText.percent(step.share()),
                                NumberText.rate(step.targetRequestsPerSecond()),
                                NumberText.rate(step.requestsPerSecond()),
                                Long.toString(step.windows()), Long.toString(step.breached()),
                                NumberText.percent(step.utilisation()), step.rule() == null ? "" : step.rule()))
                        .toList()));
    }

    void conditions(List<ConditionLine> conditions) throws IOException {
        table(new Table("Conditions of the run", List.of("Condition", "Status", "Reason", "Since", "Message"),
                conditions.stream()
                        .map(line -> List.of(line.type(), line.status(), line.reason(),
                                line.at() == null ? "" : time(line.at()), line.message()))
                        .toList()));
    }

    void validity(List<SearchConclusion.ValidityCheck> checks) throws IOException {
        table(new Table("Checks of the run", List.of("Check", "Verdict", "Value", "Limit", "Said"),
                checks.stream()
                        .map(check -> List.of(check.name(), check.verdict().name(),
                                NumberText.measure(check.value(), check.unit()),
                                NumberText.measure(check.limit(), check.unit()), check.words()))
                        .toList()));
    }

    /** The data of the charts, for those who do not see them. */
    void series(List<WindowBucket> buckets) throws IOException {
        markup.open("details").element("summary", "Data of the charts");
        table(new Table("Data of the charts: means, and latencies of the slowest window of each row",
                List.of("From", "Windows", "Step", "Share asked", "Share measured", "Requests/s", "Service",
                        "p50", "p99", "p99 of the peers", "In the rule", "Its limit", "Broken", "No answer"),
                buckets.stream()
                        .map(bucket -> List.of(clock(bucket.start()), Long.toString(bucket.windows()),
                                Integer.toString(bucket.step()), NumberText.percent(bucket.asked()),
                                NumberText.percent(bucket.measured()), NumberText.round(bucket.rate()),
                                NumberText.round(bucket.serviceRate()), NumberText.milliseconds(bucket.p50()),
                                NumberText.milliseconds(bucket.p99()), NumberText.milliseconds(bucket.peersP99()),
                                NumberText.milliseconds(bucket.ruleValue()),
                                NumberText.milliseconds(bucket.threshold()),
                                Long.toString(bucket.breached()), Long.toString(bucket.inconclusive())))
                        .toList()));
        markup.close("details").line();
    }

    /** {@code 2026-01-31 09:00:00 UTC}. */
    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", " UTC");
    }
}
