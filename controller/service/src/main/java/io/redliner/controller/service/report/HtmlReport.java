// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.RunReport.Head;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A report as one page that needs nothing from anywhere: style and charts are within, and there is no script. It is fit
 * for light and dark screens, for phones and for paper, and each chart has its data as a table. The answer comes first, then the
 * curve that it was read from, the evidence, the harm, whether all of it can be trusted, and how it was done.
 */
public final class HtmlReport {

    private final RunReport report;

    private final Head head;

    private final WindowSummary windows;

    private final List<WindowBucket> buckets;

    private final MarkupWriter markup;

    private final HtmlTables tables;

    private HtmlReport(RunReport report, WindowSummary windows, Writer out) {
        this.report = report;
        this.head = report.head();
        this.windows = windows;
        this.buckets = windows.buckets();
        this.markup = new MarkupWriter(out);
        this.tables = new HtmlTables(markup, buckets.isEmpty() ? head.submittedAt() : buckets.getFirst().start());
    }

    /** The Content-Security-Policy of the page: a browser may apply the page's own style, and load nothing. */
    public static String contentSecurityPolicy() {
        return ReportStylesheet.POLICY + "; frame-ancestors 'none'";
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
        markup.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head").empty("meta", "charset", "utf-8");
        markup.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        markup.empty("meta", "name", "color-scheme", "content", "light dark");
        markup.empty("meta", "http-equiv", "Content-Security-Policy", "content", ReportStylesheet.POLICY);
        markup.element("title", "RedLiner: " + head.service() + ", " + head.sut());
        markup.open("style").raw(ReportStylesheet.TEXT).close("style").close("head").line().open("body").open("main")
                .line();
        opening();
        section("Answer", "answer");
        new HtmlResultSection(markup, tables, report).write();
        extras();
        curve();
        evidence();
        harm();
        trust();
        method();
        markup.open("footer")
                .element("p", "RedLiner, reported at " + HtmlTables.time(head.reportedAt())
                        + ". Times are UTC, intervals hold 95 %.")
                .close("footer");
        markup.close("main").close("body").close("html").line();
    }

    private void section(String title, String id) throws IOException {
        markup.line().element("h2", title, "id", id).line();
    }

    private void opening() throws IOException {
        markup.open("header").element("p", "RedLiner " + head.profile() + " test", "class", "kind");
        markup.element("h1", head.service() + ", " + head.sut());
        String state = head.live() ? "Live: " + head.phase() : Objects.requireNonNullElse(head.outcome(), "Finished");
        markup.open("p").element("strong", state.replace('_', ' '), "class", "badge " + (good() ? "good" : "warn"));
        markup.text(" Plan " + head.plan() + ", " + HtmlTables.time(head.submittedAt()) + ", "
                + DurationText.spell(head.durationSeconds())).close("p");
        if (head.live()) {
            markup.element("p",
                    "This run is live: the report says how it stands at " + HtmlTables.time(head.reportedAt())
                            + " and is not final.",
                    "class", "live", "role", "note");
        }
        markup.close("header").line();
    }

    private boolean good() {
        return !head.live() && head.exitCode() != null && head.exitCode() == 0 && report.validity().stream().noneMatch(
                check -> check.verdict() == Validity.DOUBTFUL || check.verdict() == Validity.INVALID);
    }

    /** Writes the sections of this kind of test, which often hold the answer itself. */
    private void extras() throws IOException {
        for (Section extra : report.sections()) {
            section(extra.title(), "section-" + extra.id());
            tables.facts(extra.facts());
            for (Section.Table table : extra.tables()) {
                tables.table(table);
            }
        }
    }

    private void curve() throws IOException {
        section("Curve", "curve");
        if (buckets.isEmpty()) {
            markup.element("p", "No window was judged.");
        } else {
            new ReportCharts(markup, report, buckets).knee();
        }
    }

    private void evidence() throws IOException {
        section("Evidence", "evidence");
        markup.element("h3", "Bottleneck");
        if (report.bottleneck().isEmpty()) {
            markup.element("p", "None was reported.");
        }
        for (SearchConclusion.Finding finding : report.bottleneck()) {
            markup.open("p")
                    .element("strong", finding.resource().replace('_', ' '))
                    .text(": " + finding.words())
                    .close("p");
            tables.facts(finding.figures()
                    .stream()
                    .map(figure -> new Section.Fact(figure.name(),
                            NumberText.measure(figure.value(), figure.unit())))
                    .toList());
        }
        if (!buckets.isEmpty()) {
            new ReportCharts(markup, report, buckets).overTime();
            tables.series(buckets);
        }
        markup.element("h3", "Rules");
        tables.rules(report.rules());
    }

    private void harm() throws IOException {
        section("Harm", "harm");
        HarmView harm = report.harm();
        markup.element("p",
                "By the test are requests that broke the SLA at the instance under test beyond what its peers "
                        + "saw at the same time, while traffic was moved or its effects lasted. Anyway are those that would have "
                        + "broken it in any case.");
        List<Section.Fact> facts = new ArrayList<>();
        facts.add(new Section.Fact("Harm by the test", harm.byTest()));
        facts.add(new Section.Fact("Harm anyway", harm.byItself()));
        facts.add(new Section.Fact("Budget", harm.allowed() == null
                ? NumberText.UNKNOWN
                : NumberText.brief((double) harm.allowed()) + " requests"));
        facts.add(
                new Section.Fact("Windows that broke the SLA", buckets.stream().mapToLong(WindowBucket::breached).sum()
                        + " of " + head.windows()));
        facts.add(new Section.Fact("Largest share of the traffic", NumberText.percent(windows.largestShare())
                + ", allowed are " + NumberText.percent(head.maxShare())));
        facts.add(new Section.Fact("Traffic restored", report.restore() == null
                ? "not yet"
                : report.restore().describe()));
        tables.facts(facts);
    }

    private void trust() throws IOException {
        section("Validity checks", "validity");
        if (report.validity().isEmpty()) {
            markup.element("p", "The measurement was not checked: that is done when a search ends.");
        } else {
            tables.validity(report.validity());
        }
        tables.claims(report.claims());
        tables.conditions(report.conditions());
    }

    private void method() throws IOException {
        section("Method", "method");
        markup.element("p", "The instance served the service's own live traffic, beginning with its natural share of "
                + NumberText.percent(head.naturalShare())
                + ". RedLiner moved the share in steps, by the proxies' weights, and "
                + "judged every window of time anew against all rules of the SLA. When a rule breaks, the load goes down at once. "
                + "The capacity is the highest sustained load at which all rules hold; it is estimated from how many requests "
                + "exceed each rule at each load, with the probability that is left to other values as the interval.");
        List<Section.Fact> facts = new ArrayList<>();
        facts.add(new Section.Fact("Run", head.runId()));
        facts.add(new Section.Fact("Plan", head.plan() + ", SHA-256 " + head.planHash()));
        facts.add(new Section.Fact("Version", Objects.requireNonNullElse(head.version(), NumberText.UNKNOWN)));
        facts.add(new Section.Fact("Hardware", Objects.requireNonNullElse(head.hardware(), NumberText.UNKNOWN)));
        facts.add(new Section.Fact("Submitted", HtmlTables.time(head.submittedAt())));
        if (!buckets.isEmpty()) {
            facts.add(new Section.Fact("First window, 0:00 of all charts and tables",
                    HtmlTables.time(buckets.getFirst().start())));
        }
        facts.add(new Section.Fact(head.live() ? "Running for" : "Duration",
                DurationText.spell(head.durationSeconds())));
        facts.add(new Section.Fact("Windows judged", Long.toString(head.windows())));
        tables.facts(facts);
        tables.steps(report.steps());
    }
}
