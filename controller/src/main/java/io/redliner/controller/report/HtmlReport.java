// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.report;

import io.redliner.controller.capacity.Change;
import io.redliner.controller.report.RunReport.Head;
import io.redliner.controller.report.RunReport.Result;
import io.redliner.controller.run.Conclusion;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A report as one page that needs nothing from anywhere: style and charts are within, and there is no script. It is fit
 * for light and dark screens, for phones and for paper, and each chart has its data as a table.
 */
public final class HtmlReport {

    private final RunReport report;

    private final Head head;

    private final WindowSummary windows;

    private final Markup page;

    private final HtmlTables tables;

    private HtmlReport(RunReport report, WindowSummary windows, Writer out) {
        this.report = report;
        this.head = report.head();
        this.windows = windows;
        this.page = new Markup(out);
        this.tables = new HtmlTables(page);
    }

    /** What a browser may do with the page: show its own style, and nothing else. */
    public static String contentSecurityPolicy() {
        return Style.POLICY + "; frame-ancestors 'none'";
    }

    /**
     * Writes the page.
     *
     * @param windows what all windows of the run come to
     * @throws IOException when the reader is gone
     */
    public static void write(RunReport report, WindowSummary windows, Writer out) throws IOException {
        new HtmlReport(report, windows, out).write();
    }

    private void write() throws IOException {
        page.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head").empty("meta", "charset", "utf-8");
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.empty("meta", "name", "color-scheme", "content", "light dark");
        page.empty("meta", "http-equiv", "Content-Security-Policy", "content", Style.POLICY);
        page.element("title", "RedLiner: " + head.service() + ", " + head.sut());
        page.open("style").raw(Style.TEXT).close("style").close("head").line().open("body").open("main").line();
        opening();
        result();
        bottleneck();
        section("Charts", "charts");
        List<Bucket> buckets = windows.series().buckets();
        if (buckets.isEmpty()) {
            page.element("p", "No window was judged.");
        } else {
            new Charts(page, report, buckets).write();
            tables.series(buckets);
        }
        for (Section extra : report.sections()) {
            section(extra.title(), "section-" + extra.id());
            tables.facts(extra.facts());
            for (Section.Table table : extra.tables()) {
                tables.table(table);
            }
        }
        section("What was asked", "claims");
        tables.claims(report.claims());
        section("Rules", "rules");
        tables.rules(report.rules());
        section("Steps", "steps");
        tables.steps(report.steps());
        section("Conditions", "conditions");
        tables.conditions(report.conditions());
        page.open("footer")
                .element("p", "RedLiner, reported at " + head.reportedAt() + ". Times are UTC, intervals hold 95 %.")
                .close("footer");
        page.close("main").close("body").close("html").line();
    }

    private void section(String title, String id) throws IOException {
        page.line().element("h2", title, "id", id).line();
    }

    private void opening() throws IOException {
        page.open("header").element("p", "RedLiner " + head.profile() + " test", "class", "kind");
        page.element("h1", head.service() + ", " + head.sut());
        String state = head.live() ? "Live: " + head.phase() : Objects.requireNonNullElse(head.outcome(), "Finished");
        page.open("p").element("strong", state.replace('_', ' '), "class", "badge " + (good() ? "good" : "warn"));
        if (head.stopReason() != null) {
            page.text(" " + head.stopReason());
        }
        page.close("p");
        if (head.live()) {
            page.element("p", "This run is live: the report says how it stands at " + head.reportedAt()
                    + " and is not final.", "class", "live", "role", "note");
        }
        page.close("header").line();
        List<Section.Fact> facts = new ArrayList<>();
        facts.add(new Section.Fact("Run", head.runId()));
        facts.add(new Section.Fact("Plan", head.plan() + " (" + head.planHash() + ")"));
        facts.add(new Section.Fact("Version", Objects.requireNonNullElse(head.version(), Figures.UNKNOWN)));
        facts.add(new Section.Fact("Hardware", Objects.requireNonNullElse(head.hardware(), Figures.UNKNOWN)));
        facts.add(new Section.Fact("Submitted", head.submittedAt().toString()));
        facts.add(new Section.Fact(head.live() ? "Running for" : "Duration",
                Figures.duration(head.durationSeconds())));
        facts.add(new Section.Fact("Windows judged", Long.toString(head.windows())));
        facts.add(new Section.Fact("Harm", Figures.brief(report.harm().requests()) + " requests, "
                + Figures.percent(report.harm().used()) + " of the budget"));
        facts.add(new Section.Fact("Traffic restored", report.restore() == null
                ? "not yet"
                : report.restore().detail() + " (" + Figures.duration(report.restore().seconds()) + ")"));
        tables.facts(facts);
    }

    private boolean good() {
        return report.result() != null && !head.live();
    }

    private void result() throws IOException {
        section("Result", "result");
        Result result = report.told();
        if (result == null) {
            page.element("p", head.live() ? "There is none yet." : "The run has no result.");
            return;
        }
        if (report.result() == null) {
            page.element("p", "The run has no result. This is what the search believed, and not to be relied on:",
                    "class", "live");
        }
        page.open("p", "class", "capacity")
                .element("strong", (result.lowerBound() ? "at least " : "") + Figures.rate(result.capacity()))
                .text(result.lowerBound()
                        ? " (lower bound " + Figures.brief(result.low()) + ")"
                        : " (" + Figures.brief(result.low()) + " to " + (result.high() > 0
                                ? Figures.brief(result.high())
                                : "unknown") + ")")
                .close("p");
        List<Section.Fact> facts = new ArrayList<>();
        facts.add(new Section.Fact("Limited by", limit(result)));
        facts.add(new Section.Fact("Last good step", Figures.rate(result.lastGood())));
        facts.add(new Section.Fact("First bad step", Figures.rate(result.firstBad())));
        facts.add(new Section.Fact("Before", previous(report.previous())));
        tables.facts(facts);
    }

    private String limit(Result result) {
        if (result.limitingRule().isEmpty()) {
            return "nothing";
        }
        String unit = report.rules()
                .stream()
                .filter(rule -> rule.name().equals(result.limitingRule()))
                .map(rule -> " " + rule.worst().unit())
                .findFirst()
                .orElse("");
        return result.limitingRule() + ": " + Figures.brief(result.limitingValue()) + " against "
                + Figures.brief(result.limitingThreshold()) + unit;
    }

    private static String previous(RunReport.@Nullable Previous previous) {
        if (previous == null) {
            return "nothing is known";
        }
        Change change = previous.change();
        return Figures.rate(previous.capacity()) + ", change " + Figures.brief(change.percent()) + " %"
                + (change.lowPercent() == null
                        ? ""
                        : " (" + Figures.brief(change.lowPercent()) + " to " + Figures.brief(change.highPercent())
                                + ")")
                + switch (change.significance()) {
                    case RISE -> ", a significant rise";
                    case FALL -> ", a significant fall";
                    case NOT_SIGNIFICANT -> ", not significant";
                    case UNKNOWN -> ", not comparable";
                };
    }

    private void bottleneck() throws IOException {
        section("Bottleneck", "bottleneck");
        if (report.bottleneck().isEmpty()) {
            page.element("p", "None was told.");
        }
        for (Conclusion.Finding finding : report.bottleneck()) {
            page.open("p")
                    .element("strong", finding.resource().replace('_', ' '))
                    .text(" (confidence " + Figures.percent(finding.confidence()) + "): " + finding.words())
                    .close("p");
            tables.facts(finding.figures()
                    .stream()
                    .map(figure -> new Section.Fact(figure.name(),
                            Figures.brief(figure.value()) + " " + figure.unit()))
                    .toList());
        }
        if (!report.validity().isEmpty()) {
            section("Whether the result can be trusted", "validity");
            tables.validity(report.validity());
        }
    }
}
