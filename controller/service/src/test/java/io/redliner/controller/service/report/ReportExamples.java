// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.capacity.CapacityChange.MeasuredCapacity;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExceedanceCurve;
import io.redliner.controller.core.run.HarmDone;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.core.run.TracedRequest;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.scene.ExactSums;
import io.redliner.sla.Judgement;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports and windows to write. */
final class ReportExamples {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** What could break each of the formats. */
    static final String HOSTILE = "=1+1 <script>alert(1)</script> ]]> & \"q\" 'a', \u0000\u0007\u001b\ud800 \uD83D\uDE00";

    private ReportExamples() {}

    /** Of a load that grows with time; breaks its SLA above 400 requests/s. */
    static JudgedWindow window(long number, String rule) {
        double load = 250 + number % 3000 / 10.0;
        boolean breached = load > 400;
        double p99 = 0.04 + 0.06 * Math.pow(load / 400, 6);
        Judgement judgement = breached ? Judgement.BREACHED : Judgement.HOLDS;
        WindowVerdict verdict = new WindowVerdict("run", 1, number + 1, START.plusSeconds(number),
                Duration.ofSeconds(1), judgement,
                List.of(new RuleResult(rule, "latency.p99 <= duration('100ms')", judgement, p99, 0.1, p99 / 0.1,
                        "seconds", false, "")),
                List.of(new RuleResult("fleet-errors", "service.error_rate <= 0.01", Judgement.HOLDS, 0.001, 0.01, 0.1,
                        "ratio", false, "")),
                new SearchAdvice(SearchAdvice.Action.GO, load, SearchAdvice.Phase.RAMPING, rule, (int) (number / 30)),
                new TrafficSample(load, Math.round(load), 0, 3, p99 / 3, p99, Share.ofRatio(load / 1000), 1000L),
                TrafficSample.NONE, 1000, breached ? 2 : 0, null);
        return new JudgedWindow(number < 20 ? "Baseline" : "Ramping", Share.ofRatio(load / 1000), verdict);
    }

    /** Windows in which nobody could judge the rule. */
    static WindowSummary unjudged(String rule) {
        List<JudgedWindow> windows = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            JudgedWindow window = window(number, rule);
            WindowVerdict verdict = window.verdict();
            RuleResult unknown = new RuleResult(rule, "queue.max <= 5", Judgement.INCONCLUSIVE, null, null, null, "",
                    false, "nobody measures queue");
            windows.add(new JudgedWindow(window.phase(), window.asked(),
                    new WindowVerdict(verdict.runId(), verdict.epoch(), verdict.sequence(), verdict.windowStart(),
                            verdict.windowLength(), Judgement.INCONCLUSIVE, List.of(unknown), verdict.guards(),
                            verdict.advice(), verdict.sut(), verdict.peers(), 1000, 0, null)));
        }
        return summary(windows);
    }

    /** So many, made one by one as they are asked for. */
    static Stream<JudgedWindow> windows(long many, String rule) {
        return LongStream.range(0, many).mapToObj(number -> window(number, rule));
    }

    static WindowSummary summary(long many, String rule) {
        return summary(windows(many, rule).toList());
    }

    static WindowSummary summary(List<JudgedWindow> windows) {
        int each = 1;
        while (windows.size() / each >= WindowSummary.MAX_BUCKETS) {
            each *= 2;
        }
        return ExactSums.summary(windows, each);
    }

    static RunReport.Head head(String profile, @Nullable String outcome, String text, long windows) {
        boolean live = outcome == null;
        return new RunReport.Head("run-1", text, "10.0.0.1:8080", text, "c5.large", "weekly", "abc", profile,
                live ? "Ramping" : "Finished", live, outcome, live ? null : "CapacityFound", live ? null : text,
                live ? null : "what came of " + text, exitCode(outcome), START,
                live ? null : START.plusSeconds(1800), 1800, 0.25, 0.6, windows, START.plusSeconds(1800));
    }

    private static @Nullable Integer exitCode(@Nullable String outcome) {
        return switch (outcome) {
            case null -> null;
            case "INCONCLUSIVE" -> 98;
            case "THRESHOLD_FAILED" -> 99;
            case "ABORTED" -> 105;
            default -> 0;
        };
    }

    static RunReport report(WindowSummary summary, String profile, @Nullable String outcome, String text) {
        RunReport.Head head = head(profile, outcome, text, summary.windows());
        HarmView harm = HarmView.of(new HarmDone(12, 1800.0, 5.0));
        boolean bound = "TRAFFIC_EXHAUSTED".equals(outcome);
        boolean found = bound || "CAPACITY_FOUND".equals(outcome);
        RestoreView restore = outcome == null
                ? null
                : new RestoreView(RestoreProof.Traffic.NATURAL, RestoreProof.Proof.ACKNOWLEDGED, 0.3,
                        "all 2 proxies acknowledged");
        RunReport.Result result = new RunReport.Result(398, 391, 404, bound, text, 0.104, 0.1, 396.0, 402.0);
        List<StepView> steps = new ArrayList<>();
        for (int number = 1; number < summary.windows() / 30 && number < 50; number++) {
            steps.add(new StepView(number, 250 + 3.0 * number, 0.25, 0.25 + 0.003 * number,
                    250 + 3.0 * number, 30, number > 48 ? 30 : 0, 0.5, text, START.plusSeconds(30L * number),
                    START.plusSeconds(30L * number + 30), 30));
        }
        List<Section> sections = List.of(new Section("extra", text, List.of(new Section.Fact(text, text)),
                List.of(new Section.Table(text, List.of(text, "b"), List.of(List.of(text, "1")))), List.of()));
        return new RunReport(head, found ? result : null, found ? null : result,
                found
                        ? new RunReport.Previous("run-0", "v1", 420, 410, 430,
                                CapacityChange.between(new MeasuredCapacity(420, 410, 430, false),
                                        new MeasuredCapacity(398, 391, 404, false)))
                        : null,
                harm, restore,
                List.of(new SearchConclusion.Finding("CPU", 0.9, text,
                        List.of(new SearchConclusion.Figure(text, 0.94, "ratio")))),
                List.of(new SearchConclusion.ValidityCheck("littles-law", SearchConclusion.Validity.OK, 0.01, 0.03,
                        "ratio", text)),
                List.of(new RunCondition("TrafficRestored", "True", "Acknowledged", text, START)), steps,
                summary.rules(), ReportChecklist.of(head, summary, harm, restore, sections), sections,
                "capacity".equals(profile) && outcome != null ? exceedances(text) : null,
                List.of(new RunHighlights.Sentence(START.plusSeconds(30), text + " broke at 402 requests/s.",
                        List.of(new TracedRequest("4bf92f3577b34da6a3ce929d0e0e4736", 0.912,
                                URI.create("https://traces.example/trace/4bf92f3577b34da6a3ce929d0e0e4736"))))));
    }

    /** A curve of requests beyond 100 ms, which reaches the allowed 1 % at 398 requests/s. */
    private static ExceedanceCurve exceedances(String rule) {
        return new ExceedanceCurve(rule, 0.1, 0.01,
                List.of(new ExceedanceCurve.LoadGroup(250, 3, 9_000, 9, false),
                        new ExceedanceCurve.LoadGroup(396, 12, 48_000, 450, false),
                        new ExceedanceCurve.LoadGroup(420, 1, 900, 60, true)),
                List.of(new ExceedanceCurve.FittedPoint(250, 0.001, 0.0005, 0.002),
                        new ExceedanceCurve.FittedPoint(391, 0.008, 0.006, 0.01),
                        new ExceedanceCurve.FittedPoint(398, 0.01, 0.008, 0.013),
                        new ExceedanceCurve.FittedPoint(404, 0.013, 0.01, 0.016),
                        new ExceedanceCurve.FittedPoint(437.8, 0.04, 0.02, 0.08)),
                0.7, "");
    }

    static String html(RunReport report, WindowSummary summary) throws IOException {
        StringWriter out = new StringWriter();
        HtmlReport.write(report, Certainty.of(new SearchConclusion(report.bottleneck(), report.validity())),
                new FleetNeed(1000.0, 5L, 4, 0.2, "", Set.of()), summary, out);
        return out.toString();
    }

    static String junit(RunReport report) throws IOException {
        StringWriter out = new StringWriter();
        JunitReport.write(report, out);
        return out.toString();
    }

    static String csv(Stream<JudgedWindow> windows, List<String> rules) throws IOException {
        StringWriter out = new StringWriter();
        new CsvReport(out, rules).write("run-1", false, windows);
        return out.toString();
    }

    /** Counts, and keeps nothing. */
    static final class Counted extends Writer {

        final AtomicLong written = new AtomicLong();

        @Override
        public void write(char[] buffer, int offset, int length) {
            written.addAndGet(length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
