// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.contract.text.PlainText;
import io.redliner.controller.core.capacity.CapacityChange;
import io.redliner.controller.core.capacity.CapacityChange.MeasuredCapacity;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.ComparedRun.Answer;
import io.redliner.controller.service.report.RunReport.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a run with another one. A change is only given of capacities that can be compared.
 *
 * @param obstacles why the runs cannot be compared, one sentence each; empty when they can
 * @param change of the capacity from {@code other} to {@code run}; absent when they cannot be compared, and when one has none
 * @param summary all of it in sentences
 * @param differences in what may explain a change, and in what the runs cost
 */
public record RunComparison(ComparedRun run, ComparedRun other, List<String> obstacles,
        @Nullable CapacityChange change, String summary, List<Difference> differences) {

    private static final int MAX_RULES = 3;

    private static final int MAX_TEXT = 120;

    public RunComparison {
        obstacles = List.copyOf(obstacles);
        differences = List.copyOf(differences);
    }

    /** One thing in both runs. */
    public record Difference(String name, String run, String other, Verdict verdict) {

        /** The verdicts on one thing. */
        public enum Verdict {
            SAME, CHANGED,
            /** It is not known of at least one of the runs. It never counts as the same. */
            UNKNOWN
        }

        static Difference of(String name, @Nullable String run, @Nullable String other) {
            return new Difference(name, shown(run), shown(other), run == null || other == null
                    ? Verdict.UNKNOWN
                    : run.equals(other) ? Verdict.SAME : Verdict.CHANGED);
        }

        private static String shown(@Nullable String text) {
            return text == null ? NumberText.UNKNOWN : text;
        }
    }

    /** Compares a run with another one. */
    public static RunComparison of(ComparedRun run, ComparedRun other) {
        List<String> obstacles = obstacles(run, other);
        Result now = run.answer().result();
        Result before = other.answer().result();
        CapacityChange change = obstacles.isEmpty() && now != null && before != null && before.capacity() > 0
                ? CapacityChange.between(measured(before), measured(now))
                : null;
        return new RunComparison(run, other, obstacles, change, summary(run, other, obstacles, change),
                differences(run, other));
    }

    /** Returns true when nothing keeps the runs from being compared. */
    public boolean comparable() {
        return obstacles.isEmpty();
    }

    private static MeasuredCapacity measured(Result result) {
        return new MeasuredCapacity(result.capacity(), result.low(), result.high(), result.lowerBound());
    }

    private static List<String> obstacles(ComparedRun run, ComparedRun other) {
        if (run.runId().equals(other.runId())) {
            return List.of("Both are the same run: name another one.");
        }
        List<String> obstacles = new ArrayList<>();
        if (!run.service().equals(other.service())) {
            obstacles.add("They tested different services: " + between(run.service(), other.service()) + ".");
        }
        Stream.of(run, other).filter(one -> one.answer().live())
                .forEach(one -> obstacles.add("Run " + brief(one.runId()) + " is not over: wait for its end."));
        rules(byName(run.terms().sla()), byName(other.terms().sla()), obstacles);
        if (!run.terms().redirect().equals(other.terms().redirect())) {
            obstacles.add("They moved other traffic: " + between(run.terms().redirect(), other.terms().redirect())
                    + ".");
        }
        if (!run.terms().window().equals(other.terms().window())) {
            obstacles.add("They were judged in windows of another length: "
                    + between(run.terms().window(), other.terms().window()) + ".");
        }
        hardware(run, other, obstacles);
        return obstacles;
    }

    private static Map<String, String> byName(List<Section.Fact> rules) {
        return rules.stream().collect(Collectors.toMap(Section.Fact::name, Section.Fact::value, (one, same) -> one));
    }

    private static void rules(Map<String, String> run, Map<String, String> other, List<String> obstacles) {
        if (run.isEmpty() || other.isEmpty()) {
            obstacles.add("The SLA is not known of both.");
            return;
        }
        TreeSet<String> names = new TreeSet<>(run.keySet());
        names.addAll(other.keySet());
        names.removeIf(name -> Objects.equals(run.get(name), other.get(name)));
        if (names.isEmpty()) {
            return;
        }
        List<String> texts = names.stream().limit(MAX_RULES).map(name -> brief(name) + " is "
                + between(run.getOrDefault(name, "no rule"), other.getOrDefault(name, "no rule"))).toList();
        obstacles.add("Their SLAs differ: " + String.join("; ", texts)
                + (names.size() > MAX_RULES ? "; and " + (names.size() - MAX_RULES) + " more" : "") + ".");
    }

    /** An instance that is the same is compared with itself, unless its hardware is known to have changed. */
    private static void hardware(ComparedRun run, ComparedRun other, List<String> obstacles) {
        boolean known = run.hardware() != null && other.hardware() != null;
        if (known && !Objects.equals(run.hardware(), other.hardware())) {
            obstacles.add("They ran on different hardware: "
                    + between(String.valueOf(run.hardware()), String.valueOf(other.hardware())) + ".");
        } else if (!known && !run.sut().equals(other.sut())) {
            obstacles.add("They tested different instances, " + between(run.sut(), other.sut())
                    + ", and the hardware is not known of both.");
        }
    }

    private static String between(String run, String other) {
        return brief(run) + " here, " + brief(other) + " there";
    }

    private static String brief(String text) {
        return PlainText.shortened(text, MAX_TEXT);
    }

    private static String summary(ComparedRun run, ComparedRun other, List<String> obstacles,
            @Nullable CapacityChange change) {
        if (!obstacles.isEmpty()) {
            return "The runs cannot be compared. " + String.join(" ", obstacles);
        }
        if (change == null) {
            return "Whether the capacity changed is not known: " + Stream.of(run, other)
                    .filter(one -> one.answer().result() == null)
                    .map(one -> "run " + brief(one.runId()) + " has none")
                    .reduce((one, another) -> one + ", and " + another).orElse("one of them is 0") + ".";
        }
        String numbers = AnswerPicture.spoken(run.answer().result()) + " against "
                + AnswerPicture.spoken(other.answer().result());
        return switch (change.significance()) {
            case RISE -> "The capacity is higher: " + numbers + ". " + percent(change) + beyond(change);
            case FALL -> "The capacity is lower: " + numbers + ". " + percent(change) + beyond(change);
            case NOT_SIGNIFICANT -> "No change of the capacity is shown: " + numbers + ". " + percent(change)
                    + ": both intervals together explain it.";
            case UNKNOWN -> "Whether the capacity changed is not known: " + numbers
                    + ". At least one of them is only a bound.";
        } + doubts(run) + doubts(other);
    }

    private static String beyond(CapacityChange change) {
        return change.lowPercent() == null
                ? ": the bound of the one is beyond the interval of the other."
                : ": more than both intervals together explain.";
    }

    /** Returns the change without a number where a bound has none. */
    private static String percent(CapacityChange change) {
        return change.lowPercent() == null || change.highPercent() == null
                ? "How much cannot be said"
                : "The change is " + NumberText.signed(change.percent()) + " % (95 %: "
                        + NumberText.signed(change.lowPercent()) + " to " + NumberText.signed(change.highPercent())
                        + " %)";
    }

    private static String doubts(ComparedRun run) {
        Certainty certainty = run.answer().certainty();
        Integer exitCode = run.answer().exitCode();
        return (certainty == null || certainty.level() == Certainty.Level.SURE
                ? ""
                : " Of run " + brief(run.runId()) + ": " + PlainText.shortened(certainty.words(), 2 * MAX_TEXT) + ".")
                + (exitCode != null && exitCode == ExitCode.UNSAFE.code()
                        ? " Run " + brief(run.runId())
                                + " harmed more requests than were allowed, or natural traffic was not proven."
                        : "");
    }

    private static List<Difference> differences(ComparedRun run, ComparedRun other) {
        Answer one = run.answer();
        Answer another = other.answer();
        return List.of(Difference.of("Version", run.version(), other.version()),
                Difference.of("Hardware", run.hardware(), other.hardware()),
                Difference.of("Instance", run.sut(), other.sut()),
                Difference.of("Limited by", limit(one.result()), limit(another.result())),
                Difference.of("Bottleneck", bottleneck(one), bottleneck(another)),
                Difference.of("How sure", sure(one), sure(another)),
                Difference.of("Harm by the test", byTest(one.harm()), byTest(another.harm())),
                Difference.of("Harm anyway", harm(one.harm().anyway()), harm(another.harm().anyway())),
                Difference.of("Profile", run.terms().profile(), other.terms().profile()),
                Difference.of("Window", run.terms().window(), other.terms().window()));
    }

    private static @Nullable String limit(@Nullable Result result) {
        return result == null ? null : result.limitingRule().isEmpty() ? "no rule" : result.limitingRule();
    }

    private static @Nullable String bottleneck(Answer answer) {
        return answer.bottleneck() == null || answer.bottleneck().resource().equals("UNKNOWN")
                ? null
                : answer.bottleneck().resource().replace('_', ' ');
    }

    private static @Nullable String sure(Answer answer) {
        Certainty certainty = answer.certainty();
        return certainty == null ? null : certainty.level() == Certainty.Level.SURE ? "sure" : certainty.words();
    }

    /** Harm by the test; without a judged window nobody knows it. */
    private static @Nullable String byTest(HarmView harm) {
        return harm.requests() == 0 && harm.anyway() == null ? null : harm(harm.requests());
    }

    private static @Nullable String harm(@Nullable Long requests) {
        return requests == null ? null : FleetNeed.counted(requests, "request");
    }
}
