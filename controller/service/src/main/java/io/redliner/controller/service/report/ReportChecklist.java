// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.ReportCheck.Verdict;
import io.redliner.controller.service.report.RunReport.Head;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a run: each rule of the SLA, each guard, each safety promise, and that there is an answer at all. A
 * test that looks for the limit has to break the SLA to find it; there a rule only fails when it is broken in most
 * windows of the baseline, without any raise. The exit code alone decides whether a broken rule fails the test: a pipeline
 * that reads the claims comes to the same result as one that reads the code.
 */
public final class ReportChecklist {

    private static final Set<String> EXPLORING = Set.of("capacity", "breakpoint", "stress", "scalability",
            "bottleneck");

    /** Shares are whole numbers of parts per million. */
    private static final double ROUNDING = 1e-6;

    private ReportChecklist() {}

    /** Returns all claims of a run, those of its sections in the place of the general ones. */
    public static List<ReportCheck> of(Head head, WindowSummary windows, HarmView harm, @Nullable RestoreView restore,
            List<Section> sections) {
        Map<String, ReportCheck> claims = new LinkedHashMap<>();
        List<ReportCheck> all = new ArrayList<>();
        windows.rules().forEach(rule -> all.add(rule.guard() ? guard(rule, head) : sla(rule, head)));
        all.add(restored(restore));
        all.add(share(head, windows));
        all.add(harm(head, harm));
        all.add(answered(head));
        sections.forEach(section -> all.addAll(section.claims()));
        all.forEach(claim -> claims.put(claim.group() + " " + claim.name(), claim));
        return List.copyOf(claims.values());
    }

    private static ReportCheck sla(RuleSummary rule, Head head) {
        String message = rule.expression() + ": at worst " + rule.describe();
        if (rule.informational()) {
            return new ReportCheck("sla", rule.name(), Verdict.SKIPPED, "Informational", message);
        }
        if (rule.inconclusive() == rule.windows()) {
            return unknown("sla", rule, head);
        }
        boolean exploring = EXPLORING.contains(head.profile());
        boolean broken = exploring ? 2 * rule.baselineBreached() > rule.baselineWindows() : rule.breached() > 0;
        String counted = message + ", broken in " + rule.breached() + " of " + rule.windows() + " windows";
        if (broken) {
            return broken("sla", rule, "SlaBreached", exploring ? counted + ", in most of the baseline too" : counted,
                    head);
        }
        return ReportCheck.passed("sla", rule.name(),
                rule.breached() > 0 ? counted + ": that is how the limit is found" : message);
    }

    /** Returns a rule that was broken: it fails a test that failed, and no other. */
    private static ReportCheck broken(String group, RuleSummary rule, String type, String message, Head head) {
        Integer exitCode = head.exitCode();
        if (exitCode == null) {
            return new ReportCheck(group, rule.name(), Verdict.SKIPPED, "Live", message + "; the run is not over");
        }
        if (answered(exitCode)) {
            return ReportCheck.passed(group, rule.name(), message + ", which the test allows");
        }
        return exitCode == ExitCode.THRESHOLD_FAILED.code()
                ? new ReportCheck(group, rule.name(), Verdict.FAILED, type, message)
                : new ReportCheck(group, rule.name(), Verdict.SKIPPED, "NoAnswer",
                        message + "; the run gives no answer");
    }

    /** Returns a rule without any conclusive window: an error, unless the run is live or the other rules give its answer. */
    private static ReportCheck unknown(String group, RuleSummary rule, Head head) {
        Integer exitCode = head.exitCode();
        return new ReportCheck(group, rule.name(),
                exitCode == null || answered(exitCode) ? Verdict.SKIPPED : Verdict.ERROR, "Unknown",
                "no window had an answer: " + rule.worst().reason());
    }

    private static boolean answered(int exitCode) {
        return exitCode == ExitCode.ANSWERED.code() || exitCode == ExitCode.UNSAFE.code();
    }

    private static ReportCheck guard(RuleSummary rule, Head head) {
        String message = rule.expression() + ": at worst " + rule.describe();
        if (rule.informational()) {
            return new ReportCheck("guards", rule.name(), Verdict.SKIPPED, "Informational", message);
        }
        if (rule.breached() > 0) {
            return broken("guards", rule, "GuardBreached", message, head);
        }
        return rule.inconclusive() == rule.windows()
                ? unknown("guards", rule, head)
                : ReportCheck.passed("guards", rule.name(), message);
    }

    private static ReportCheck restored(@Nullable RestoreView restore) {
        if (restore == null) {
            return new ReportCheck("safety", "traffic restored", Verdict.SKIPPED, "Live", "the run is not over");
        }
        String message = restore.detail() + " (" + DurationText.spell(restore.seconds()) + ")";
        return restore.proven()
                ? ReportCheck.passed("safety", "traffic restored", message)
                : new ReportCheck("safety", "traffic restored", Verdict.FAILED, "NotProven", message);
    }

    private static ReportCheck share(Head head, WindowSummary windows) {
        String message = "at most " + NumberText.percent(windows.largestShare()) + " against "
                + NumberText.percent(head.maxShare());
        return windows.largestShare() <= head.maxShare() + ROUNDING
                ? ReportCheck.passed("safety", "share within its limit", message)
                : new ReportCheck("safety", "share within its limit", Verdict.FAILED, "LimitExceeded", message);
    }

    private static ReportCheck harm(Head head, HarmView harm) {
        Long allowed = harm.allowed();
        String message = NumberText.brief((double) harm.requests()) + " requests against "
                + (allowed == null ? NumberText.UNKNOWN : NumberText.brief((double) allowed));
        if (allowed == null) {
            return harm.requests() == 0 && !head.live()
                    ? ReportCheck.passed("safety", "harm within its budget", message)
                    : new ReportCheck("safety", "harm within its budget", head.live() ? Verdict.SKIPPED : Verdict.ERROR,
                            head.live() ? "Live" : "Unknown", message);
        }
        return harm.requests() <= allowed
                ? ReportCheck.passed("safety", "harm within its budget", message)
                : new ReportCheck("safety", "harm within its budget", Verdict.FAILED, "BudgetExceeded", message);
    }

    private static ReportCheck answered(Head head) {
        if (head.live()) {
            return new ReportCheck("run", "gives an answer", Verdict.SKIPPED, "Live",
                    "the run is in phase " + head.phase());
        }
        // With the number, where there is one, and all that is doubtful about it.
        String message = head.outcome() + ": " + head.stopReason()
                + (head.headline() == null ? "" : "; " + head.headline());
        // A pipeline that reads the report gets the same answer as one that reads the exit code.
        Integer exitCode = head.exitCode();
        if (exitCode != null && answered(exitCode)) {
            return ReportCheck.passed("run", "gives an answer", message);
        }
        return new ReportCheck("run", "gives an answer",
                exitCode != null && exitCode == ExitCode.THRESHOLD_FAILED.code() ? Verdict.FAILED : Verdict.ERROR,
                head.stopCode() == null ? "Unknown" : head.stopCode(), message);
    }
}
