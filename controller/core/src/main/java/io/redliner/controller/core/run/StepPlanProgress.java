// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a step plan. Its size is bounded, however long the plan takes.
 *
 * @param since when the stage began
 * @param step number of the step; a new load begins a new step, as in the search
 * @param level of a climb: the number of times that the factor was applied
 * @param base natural load when the baseline ended, requests/s
 * @param top the highest load of the step, requests/s: the load at its beginning times the largest raise
 * @param target the load that is wanted now, requests/s
 * @param attendance windows of the stage, or of the level of a climb
 * @param ruleCounts by rule and allowance, of the hold
 * @param gauges by name, of the hold
 * @param unanswered rules and guards that have had no answer in the hold; informational rules are left out
 */
public record StepPlanProgress(StepPlanStage stage, Instant since, int step, int level, double base, double top,
        double target, WindowCounts attendance, CusumAlarm alarm, SortedMap<String, RuleCounts> ruleCounts,
        SortedMap<String, BatchMeans> gauges,
        SortedSet<String> unanswered, LoadMilestones marks, @Nullable RecoveryProgress recovery) {

    /** Smallest ratio of a new step's highest load to the load at its beginning. */
    private static final double MIN_STEP_FACTOR = 1.1;

    public StepPlanProgress {
        ruleCounts = Collections.unmodifiableSortedMap(new TreeMap<>(ruleCounts));
        gauges = Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
        unanswered = Collections.unmodifiableSortedSet(new TreeSet<>(unanswered));
    }

    static StepPlanProgress begin(WindowSample window) {
        double natural = window.loads().natural();
        return new StepPlanProgress(StepPlanStage.BASELINE, window.verdict().windowStart(), 1, 0, natural, natural,
                natural, WindowCounts.NONE,
                CusumAlarm.QUIET, new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), LoadMilestones.NONE, null);
    }

    /** Returns true when windows of this length in sum were counted at the load of the stage. */
    boolean hasCounted(Duration length, WindowSample window) {
        return attendance.counted() * window.seconds() >= length.toMillis() / 1e3 - 1e-6;
    }

    /**
     * Counts a window, and updates the alarm with it.
     *
     * @param atLoad the load that the plan wants was there
     * @param starving the service has too little traffic for it
     */
    StepPlanProgress after(WindowSample window, boolean atLoad, boolean starving) {
        return with(attendance.after(window, atLoad, starving), alarm.after(window));
    }

    StepPlanProgress with(WindowCounts newAttendance, CusumAlarm newAlarm) {
        return new StepPlanProgress(stage, since, step, level, base, top, target, newAttendance, newAlarm, ruleCounts,
                gauges, unanswered, marks, recovery);
    }

    StepPlanProgress with(LoadMilestones newMilestones) {
        return new StepPlanProgress(stage, since, step, level, base, top, target, attendance, alarm, ruleCounts, gauges,
                unanswered, newMilestones, recovery);
    }

    StepPlanProgress with(@Nullable RecoveryProgress newRecovery) {
        return new StepPlanProgress(stage, since, step, level, base, top, target, attendance, alarm, ruleCounts, gauges,
                unanswered, marks, newRecovery);
    }

    /** Enters another stage, with new counts of windows and a new alarm. */
    StepPlanProgress enter(StepPlanStage next, Instant at, double natural) {
        return new StepPlanProgress(next, at, step, level, stage == StepPlanStage.BASELINE ? natural : base, top,
                target, WindowCounts.NONE, CusumAlarm.QUIET, ruleCounts, gauges, unanswered, marks, recovery);
    }

    /** Goes to the next level of a climb. */
    StepPlanProgress climb(Instant at) {
        return new StepPlanProgress(stage, at, step, level + 1, base, top, target, WindowCounts.NONE, CusumAlarm.QUIET,
                ruleCounts, gauges, unanswered, marks, recovery);
    }

    /** Wants another load. A new step begins when this one cannot reach it, and has reached what it can. */
    StepPlanProgress wanting(double wanted, WindowSample.Loads loads) {
        double clipped = Math.min(wanted, loads.most());
        if (clipped <= top || loads.asked() < 0.98 * Math.min(target, top)) {
            return moved(step, top, Math.min(clipped, Math.max(top, 0)));
        }
        double from = Math.max(loads.asked(), 1e-9);
        double reach = from * Math.min(loads.maxRaise(), Math.max(MIN_STEP_FACTOR, clipped / from));
        return moved(step + 1, reach, Math.min(clipped, reach));
    }

    /** Keeps the load that was wanted before. */
    StepPlanProgress wantingAs(StepPlanProgress before) {
        return moved(step, before.top, before.target);
    }

    /** Drops to a load at once, in a new step. */
    StepPlanProgress dropping(double wanted) {
        return moved(step + 1, wanted, wanted);
    }

    /** Stays at a dropped load, in the same step. */
    StepPlanProgress dropping(double wanted, int sameStep) {
        return moved(sameStep, wanted, wanted);
    }

    private StepPlanProgress moved(int nextStep, double nextTop, double nextTarget) {
        return new StepPlanProgress(stage, since, nextStep, level, base, nextTop, nextTarget, attendance, alarm,
                ruleCounts, gauges, unanswered, marks, recovery);
    }

    /** Adds the measurements of a known window at the load. */
    StepPlanProgress measured(WindowSample window, Map<String, Double> values) {
        SortedMap<String, RuleCounts> nextRuleCounts = new TreeMap<>(ruleCounts);
        SortedSet<String> open = new TreeSet<>(unanswered);
        boolean first = attendance.counted() <= 1;
        for (RuleResult rule : window.verdict().sla()) {
            RuleCounts counts = rule.proportion();
            if (counts != null && !rule.informational()) {
                nextRuleCounts.merge(rule.name() + " " + counts.allowedRatio(), counts, RuleCounts::plus);
            }
        }
        window.rules().filter(rule -> !rule.informational()).forEach(rule -> {
            if (rule.judgement() != Judgement.INCONCLUSIVE) {
                open.remove(rule.name());
            } else if (first) {
                open.add(rule.name());
            }
        });
        return new StepPlanProgress(stage, since, step, level, base, top, target, attendance, alarm, nextRuleCounts,
                gauges, open, marks, recovery).measured(values);
    }

    /** Adds values of gauges. */
    StepPlanProgress measured(Map<String, Double> values) {
        SortedMap<String, BatchMeans> nextGauges = new TreeMap<>(gauges);
        values.forEach((name, value) -> nextGauges.put(name,
                nextGauges.getOrDefault(name, BatchMeans.NONE).plus(value)));
        return new StepPlanProgress(stage, since, step, level, base, top, target, attendance, alarm, ruleCounts,
                nextGauges, unanswered, marks, recovery);
    }
}
