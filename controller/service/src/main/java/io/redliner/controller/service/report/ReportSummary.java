// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.contract.text.PlainText;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.RestoreProof.Traffic;
import io.redliner.controller.core.run.SearchConclusion.Finding;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.RunReport.Head;
import io.redliner.controller.service.report.RunReport.Result;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first page of a report: a run in sentences for people who decide about money and instances. All of it follows from the
 * report's numbers; names are shortened, so that they fit.
 *
 * @param answer what came of the run
 * @param certainty how far its number can be relied on
 * @param meaning the number of instances, and the headroom
 * @param users the requests that were hurt, and whether traffic is natural again
 * @param limit the rule and the resource that limited the instance
 * @param next what to do, the most urgent first
 */
public record ReportSummary(String answer, String certainty, String meaning, String users, String limit,
        List<String> next) {

    /** The largest number of characters of a name on the first page. */
    static final int MAX_NAME = 60;

    private static final int MAX_TEXT = 300;

    public ReportSummary {
        next = List.copyOf(next);
    }

    /** Returns the sentences of a report. */
    static ReportSummary of(RunReport report, Certainty certainty, FleetNeed fleet, WindowSummary windows) {
        return new Sentences(report, report.head(), certainty, fleet, windows).summary();
    }

    /** Returns a name or a reason without its end when it is long. */
    static String shortened(String text) {
        return PlainText.shortened(text, MAX_NAME);
    }

    /** Returns a text of several words as the end of a sentence. */
    private static String ending(String text) {
        String shown = PlainText.shortened(text.strip(), MAX_TEXT);
        return shown.endsWith(".") || shown.endsWith("…") ? shown : shown + ".";
    }

    /** Returns a text with a capital at its beginning. */
    private static String capitalized(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private record Sentences(RunReport report, Head head, Certainty certainty, FleetNeed fleet, WindowSummary windows) {

        ReportSummary summary() {
            return new ReportSummary(answer(), sure(), meaning(), users(), limit(), next());
        }

        /** The result when the run's answer is a capacity; a profile that did not reach its load has one that is no answer. */
        private Optional<Result> capacity() {
            return Optional.ofNullable(report.result()).filter(result -> answered());
        }

        private boolean answered() {
            return head.answered();
        }

        private boolean stopped(StopCode code) {
            return code.wireName().equals(head.stopCode());
        }

        private boolean exits(ExitCode code) {
            return head.exitCode() != null && head.exitCode() == code.code();
        }

        private String answer() {
            String headline = head.headline();
            if (head.live() || headline == null) {
                return "There is no answer yet: the run is in phase " + head.phase() + ".";
            }
            String shown = headline.replace(head.service(), shortened(head.service()))
                    .replace(head.sut(), shortened(head.sut()));
            return answered()
                    ? ending(shown)
                    : PlainText.shortened(shown, MAX_TEXT) + ": " + ending(Objects.requireNonNullElse(head.stopReason(),
                            NumberText.UNKNOWN));
        }

        private String sure() {
            Optional<Result> capacity = capacity();
            if (capacity.isEmpty()) {
                return answered() || (exits(ExitCode.THRESHOLD_FAILED) && !stopped(StopCode.GUARD_BREACHED))
                        ? "The answer is yes or no, from " + FleetNeed.counted(head.windows(), "judged window")
                                + ": there is no number to be sure of."
                        : "There is no number to be sure of.";
            }
            String interval = interval(capacity.get());
            return certainty.level() == Certainty.Level.SURE
                    ? "Sure: " + interval + ", and no check of the measurement speaks against it."
                    : ending(capitalized(certainty.words())) + " By the numbers alone, " + interval + ".";
        }

        private static String interval(Result result) {
            return result.lowerBound() || !(result.high() > 0)
                    ? "the capacity is " + AnswerPicture.bound(result)
                    : "the capacity is between " + NumberText.round(result.low()) + " and "
                            + NumberText.rate(result.high()) + " with a probability of 95 %";
        }

        private String meaning() {
            if (capacity().isEmpty()) {
                return "Nothing follows for the number of instances, as there is no capacity.";
            }
            return fleet.describe() + " The need is counted with the lower end of the capacity, "
                    + NumberText.rate(capacity().get().low()) + "; load and fleet are as of this report.";
        }

        private String users() {
            return hurt() + " " + traffic();
        }

        private String hurt() {
            HarmView harm = report.harm();
            if (windows.windows() == 0) {
                return "No window was judged, so it is not known whether users were hurt.";
            }
            String byTest = harm.requests() == 0
                    ? "No request broke the SLA because of the test"
                    : counted(harm.requests()) + " broke the SLA because of the test" + ofAll(harm.requests());
            String budget = harm.allowed() == null || harm.requests() <= harm.allowed()
                    ? ""
                    : ", more than the " + NumberText.brief((double) harm.allowed()) + " that were allowed";
            return byTest + budget + ". " + (harm.anyway() == null
                    ? "How many would have broken it in any case is not known."
                    : harm.anyway() == 0
                            ? "None would have broken it in any case."
                            : counted(harm.anyway()) + " would have broken it in any case.");
        }

        private static String counted(long requests) {
            return FleetNeed.counted(requests, "request");
        }

        /** Returns the harm as one of so many of the service's requests; empty when they are not known. */
        private String ofAll(long harmed) {
            double requests = windows.buckets().stream()
                    .mapToDouble(bucket -> bucket.serviceRate()
                            * Duration.between(bucket.start(), bucket.end()).toMillis() / 1000.0)
                    .sum();
            return requests >= harmed
                    ? ", about 1 of "
                            + new BigDecimal(requests / harmed, new MathContext(2, RoundingMode.HALF_UP))
                                    .toPlainString()
                            + " that the service got meanwhile"
                    : "";
        }

        private String traffic() {
            RestoreView restore = report.restore();
            if (restore == null) {
                return "Traffic is not restored yet.";
            }
            return switch (restore.proof()) {
                case MEASURED, MEASURED_AFTER_EXPIRY -> "Traffic is natural again.";
                case ACKNOWLEDGED -> "Every proxy acknowledged natural traffic; it was not measured.";
                case NOT_NEEDED -> "No traffic was moved.";
                case CONTRADICTED, CONTRADICTED_AFTER_EXPIRY ->
                    "Traffic is NOT natural: " + ending(restore.detail());
                case BY_EXPIRY -> "It is not known whether traffic is natural: " + ending(restore.detail());
            };
        }

        private String limit() {
            if (head.live()) {
                return "That is not known yet.";
            }
            Result result = capacity().orElse(null);
            if (result == null) {
                return "The run ended for this reason: " + head.stopCode() + ".";
            }
            return (result.lowerBound() || result.limitingRule().isEmpty()
                    ? "No rule did: the traffic, or the share of " + NumberText.percent(head.maxShare())
                            + " that the plan allows, ended first."
                    : "The rule " + shortened(result.limitingRule()) + ", with " + measured(result.limitingValue(),
                            result.limitingRule()) + " against "
                            + measured(result.limitingThreshold(),
                                    result.limitingRule())
                            + ".")
                    + " " + bottleneck();
        }

        private String measured(@Nullable Double value, String rule) {
            return NumberText.measure(value, RuleSummary.unit(report.rules(), rule));
        }

        private String bottleneck() {
            if (report.bottleneck().isEmpty()) {
                return "Which resource was full was not reported.";
            }
            Finding first = report.bottleneck().getFirst();
            return unknown(first)
                    ? "Which resource was full is not known: " + ending(first.words())
                    : "Bottleneck: " + spoken(first) + ". " + ending(capitalized(first.words()));
        }

        private static boolean unknown(Finding finding) {
            return finding.resource().equals("UNKNOWN");
        }

        private static boolean noneReached(Finding finding) {
            return finding.resource().equals("NONE_REACHED");
        }

        private static String spoken(Finding finding) {
            return noneReached(finding)
                    ? "none was reached"
                    : finding.resource().replace('_', ' ');
        }

        private List<String> next() {
            List<String> next = new ArrayList<>();
            RestoreView restore = report.restore();
            if (restore != null && restore.traffic() != Traffic.NATURAL) {
                next.add("Now: see that the service's traffic is natural, as the guide At three in the morning says.");
            }
            if (exits(ExitCode.UNSAFE) && next.isEmpty()) {
                next.add("Before the next run: find out which step hurt " + (report.harm().allowed() == null
                        ? "requests, and why it is not known how many were allowed."
                        : "more requests than were allowed."));
            }
            if (head.live()) {
                next.add("Wait for the end of the run, or look at its page.");
            } else if (capacity().isPresent()) {
                withCapacity(capacity().get(), next);
            } else if (answered()) {
                if (next.isEmpty()) {
                    next.add("Nothing: the answer is yes.");
                }
            } else if (stopped(StopCode.MOVED) || stopped(StopCode.MOVE_UNKNOWN)) {
                next.add("Run a full capacity test.");
            } else if (stopped(StopCode.GUARD_BREACHED)) {
                next.add("Mend what broke the guard, or change the guard, and run again.");
            } else if (exits(ExitCode.THRESHOLD_FAILED)) {
                next.add("Mend what broke the rule, or change the rule, and run again.");
            } else if (exits(ExitCode.ABORTED)) {
                next.add("Run again when the reason for the stop is gone.");
            } else {
                next.add("Mend the cause, and run again: Troubleshooting explains " + head.stopCode() + ".");
            }
            return next;
        }

        private void withCapacity(Result result, List<String> next) {
            if (certainty.level() != Certainty.Level.SURE) {
                next.add("Run again before a decision that costs money"
                        + (certainty.level() == Certainty.Level.DOUBTFUL
                                ? ", when the cause of the doubt is gone."
                                : ", at another hour, with a peer to compare with."));
            }
            Long missing = fleet.missing();
            if (missing != null && missing > 0) {
                next.add("Add " + FleetNeed.counted(missing, "instance") + ", or expect less load.");
            }
            if (result.lowerBound()) {
                next.add("For the limit itself, run when there is more traffic, or allow a larger share.");
            } else if (!report.bottleneck().isEmpty() && !unknown(report.bottleneck().getFirst())
                    && !noneReached(report.bottleneck().getFirst())) {
                next.add("To raise the capacity of an instance, begin with: "
                        + spoken(report.bottleneck().getFirst()) + ".");
            }
            if (next.isEmpty()) {
                next.add(fleet.mayMiss()
                        ? "Find out whether instances are missing, from new measurements of each hardware class."
                        : "Nothing has to be done.");
            }
        }
    }
}
