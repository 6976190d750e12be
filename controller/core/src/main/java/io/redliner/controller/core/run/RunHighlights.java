// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NumberText;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The highlights of a run: at most {@value #MAX_SENTENCES} sentences in the order of time, each about one moment. A run with less
 * to tell has fewer. The texts have rule names and reasons in them as users wrote them.
 */
public final class RunHighlights {

    /** The largest number of sentences. */
    public static final int MAX_SENTENCES = 8;

    /** The largest part of a share that counts as lowered. Smaller changes follow the traffic. */
    private static final double LOWERED = 0.9;

    /** How far a share may be from the half to be called so, as a part of it. */
    private static final double HALF_TOLERANCE = 0.02;

    private final RunState state;

    private final List<Window> windows;

    private final @Nullable Instant endDecidedAt;

    private final List<Ranked> sentences = new ArrayList<>();

    private RunHighlights(RunState state, List<Window> windows, @Nullable Instant endDecidedAt) {
        this.state = state;
        this.windows = windows;
        this.endDecidedAt = endDecidedAt;
    }

    /**
     * A sentence without a time in it.
     *
     * @param at the moment that it is about, to be found in the charts
     * @param slowest the slowest requests of that moment that have a trace, of a moment at which the SLA broke
     */
    public record Sentence(Instant at, String text, List<TracedRequest> slowest) {

        public Sentence {
            slowest = List.copyOf(slowest);
        }
    }

    /**
     * A judged window.
     *
     * @param phase of the run after it, as in the API
     * @param asked the share requested when its verdict arrived
     * @param requestsPerSecond at the SUT; absent when not known
     * @param brokenRule the first rule of the SLA that it broke; absent when none is known
     * @param slowest its slowest requests that have a trace; known of a window that was the first to break
     */
    public record Window(Instant start, String phase, Judgement judgement, Share asked,
            @Nullable Double requestsPerSecond, @Nullable RuleResult brokenRule, List<TracedRequest> slowest) {

        public Window {
            slowest = List.copyOf(slowest);
        }
    }

    /** A sentence with its rank: the lowest number is left out last. */
    private record Ranked(int rank, Sentence sentence) {}

    /**
     * A pause.
     *
     * @param from its first window
     * @param to the first window after it, or the decision to end the run; absent when neither is known
     */
    private record Pause(Instant from, @Nullable Instant to) {

        double seconds() {
            return to == null ? 0 : Math.max(0, RunHighlights.seconds(from, to));
        }
    }

    /**
     * Windows from one that broke the SLA to the last before one that holds.
     *
     * @param broken the number of windows that broke the SLA
     * @param lowestShare the lowest share that was requested before a window held again
     * @param heldAt when a window held again; absent while none did
     */
    private record Break(Window firstWindow, int broken, Share lowestShare, @Nullable Instant heldAt) {

        boolean lowered() {
            return lowestShare.ppm() <= LOWERED * firstWindow.asked().ppm();
        }

        double seconds() {
            return heldAt == null ? 0 : RunHighlights.seconds(firstWindow.start(), heldAt);
        }
    }

    /**
     * Returns the sentences of a run.
     *
     * @param windows in order: each that did not hold, each that was the first to hold again, the first of each phase, and each with
     *            a larger share than all before. More windows do not change the highlights.
     * @param endDecidedAt when it was decided to end the run; absent when not known
     */
    public static List<Sentence> of(RunState state, List<Window> windows, @Nullable Instant endDecidedAt) {
        RunHighlights highlights = new RunHighlights(state, List.copyOf(windows), endDecidedAt);
        highlights.beginning();
        highlights.breaks();
        highlights.unanswered();
        highlights.pauses();
        highlights.end();
        List<Ranked> kept = highlights.sentences.stream()
                .sorted(Comparator.comparingInt(Ranked::rank))
                .limit(MAX_SENTENCES)
                .toList();
        return highlights.sentences.stream()
                .filter(kept::contains)
                .map(Ranked::sentence)
                .sorted(Comparator.comparing(Sentence::at))
                .toList();
    }

    private void add(int rank, Instant at, String text) {
        sentences.add(new Ranked(rank, new Sentence(at, text, List.of())));
    }

    private void add(int rank, Window broken, String text) {
        sentences.add(new Ranked(rank, new Sentence(broken.start(), text, broken.slowest())));
    }

    private void beginning() {
        RunFacts facts = state.facts();
        String natural = NumberText.percent(facts.naturalShare().ratio());
        if (windows.isEmpty()) {
            add(2, facts.submittedAt(), state.ending() == null
                    ? facts.awaitsApproval()
                            ? "The run was submitted, and it waits for an approval."
                            : "The run was submitted; no window was judged yet."
                    : "The run was submitted; it ended before a window was judged.");
            return;
        }
        Window first = windows.getFirst();
        Double load = first.requestsPerSecond();
        add(2, first.start(), "The test of " + facts.sut() + " began at its natural share of " + natural
                + (load == null || !(load > 0) ? "" : ", with " + NumberText.rate(load)) + ".");
        Window rising = firstIn(RunPhase.RAMPING);
        if (rising != null && !rising.equals(first)) {
            Share largest = Stream.concat(windows.stream().map(Window::asked), Stream.of(state.askedShare()))
                    .max(Comparator.comparingInt(Share::ppm)).orElseThrow();
            Window baseline = firstIn(RunPhase.BASELINE);
            add(5, rising.start(), (baseline == null
                    ? "The load began to rise"
                    : "The baseline took " + DurationText.spell(withoutPauses(baseline.start(), rising.start()))
                            + ", then the load began to rise")
                    + (largest.above(facts.naturalShare())
                            ? "; the largest share " + (over() ? "was " : "so far is ")
                                    + NumberText.percent(largest.ratio()) + "."
                            : "; the share " + (over() ? "was never" : "is not yet") + " raised above " + natural
                                    + "."));
        }
        Window confirming = firstIn(RunPhase.CONFIRMING);
        if (confirming != null && !confirming.equals(first)) {
            add(6, confirming.start(), StepPlanDecider.steers(facts)
                    ? "The rise of the load was over."
                    : foundBefore(confirming)
                            ? "A limit was found, and confirming it began."
                            : "The rise of the load was over, and confirming its result began.");
        }
    }

    /** Returns true when the load broke the SLA until this window, and the run did not end without a limit. */
    private boolean foundBefore(Window confirming) {
        return (state.ending() == null || !state.ending().lowerBound()) && windows.stream()
                .takeWhile(window -> !window.start().isAfter(confirming.start()))
                .anyMatch(window -> window.judgement() == Judgement.BREACHED
                        && !window.phase().equals(RunPhase.BASELINE.wireName()));
    }

    private boolean over() {
        return state.ending() != null;
    }

    private @Nullable Window firstIn(RunPhase phase) {
        return windows.stream().filter(window -> window.phase().equals(phase.wireName())).findFirst().orElse(null);
    }

    private void breaks() {
        List<Break> all = found();
        Break first = all.stream().filter(Break::lowered).findFirst().orElse(all.isEmpty() ? null : all.getFirst());
        if (first == null) {
            return;
        }
        add(3, first.firstWindow(), broke(first));
        List<Break> more = all.stream().filter(one -> !one.equals(first) && one.lowered()).toList();
        if (!more.isEmpty()) {
            Break slowest = more.stream().max(Comparator.comparingDouble(Break::seconds)).orElseThrow();
            add(4, slowest.firstWindow(), again(more, slowest));
        }
        List<Break> passing = all.stream().filter(one -> !one.equals(first) && !one.lowered()).toList();
        int broken = passing.stream().mapToInt(Break::broken).sum();
        if (broken > 0) {
            add(8, passing.getFirst().firstWindow(), (first.lowered() ? "" : "After that ")
                    + (broken == 1 ? first.lowered() ? "One window" : "one more window" : broken + " windows")
                    + (passing.stream().allMatch(one -> one.lowestShare().ppm() >= one.firstWindow().asked().ppm())
                            ? " broke the SLA without the share being lowered."
                            : " broke the SLA; the share was hardly lowered."));
        }
    }

    private String broke(Break one) {
        Window first = one.firstWindow();
        RuleResult rule = first.brokenRule();
        return (rule == null || rule.name().isBlank() ? "The SLA broke" : rule.name() + " broke")
                + at(first.requestsPerSecond())
                + (rule == null || rule.value() == null || rule.threshold() == null
                        ? ""
                        : " (" + rule.compared() + ")")
                + (one.lowered() ? "; the share was " + lowered(first.asked(), one.lowestShare()) : "")
                + (one.heldAt() == null
                        ? over() ? ", and no window held again." : ", and no window has held again yet."
                        : ", and the SLA held again " + DurationText.spell(one.seconds()) + " later.");
    }

    private static String lowered(Share before, Share lowest) {
        return Math.abs(2.0 * lowest.ppm() - before.ppm()) <= HALF_TOLERANCE * before.ppm()
                ? "halved to " + NumberText.percent(lowest.ratio())
                : "lowered from " + NumberText.percent(before.ratio()) + " to " + NumberText.percent(lowest.ratio());
    }

    private static String at(@Nullable Double requestsPerSecond) {
        return requestsPerSecond == null ? "" : " at " + NumberText.rate(requestsPerSecond);
    }

    private String again(List<Break> more, Break slowest) {
        DoubleSummaryStatistics loads = more.stream()
                .flatMap(one -> Stream.ofNullable(one.firstWindow().requestsPerSecond()))
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        String lowest = NumberText.round(loads.getMin());
        String highest = NumberText.rate(loads.getMax());
        boolean held = more.stream().allMatch(one -> one.heldAt() != null);
        return "The SLA broke " + (more.size() == 1 ? "once more" : more.size() + " more times")
                + (loads.getCount() == 0
                        ? ""
                        : highest.startsWith(lowest + " ") ? ", at " + highest : ", at " + lowest + " to " + highest)
                + ", and the share was lowered" + (more.size() == 1 ? "" : " each time")
                + (held
                        ? "; it held again " + (more.size() == 1 ? "" : "at the latest ")
                                + DurationText.spell(slowest.seconds()) + " later."
                        : (more.size() == 1 ? "; " : "; after the last time ")
                                + (over() ? "no window held again." : "no window has held again yet."));
    }

    private List<Break> found() {
        List<Break> all = new ArrayList<>();
        Window first = null;
        int broken = 0;
        Share lowest = Share.NONE;
        for (Window window : windows) {
            if (first != null) {
                lowest = lowest.min(window.asked());
            }
            if (window.judgement() == Judgement.BREACHED) {
                first = first == null ? window : first;
                lowest = broken == 0 ? window.asked() : lowest;
                broken++;
            } else if (first != null && window.judgement() == Judgement.HOLDS) {
                all.add(new Break(first, broken, lowest, window.start()));
                first = null;
                broken = 0;
            }
        }
        if (first != null) {
            all.add(new Break(first, broken, lowest.min(state.askedShare()), null));
        }
        return all;
    }

    private void unanswered() {
        List<Window> unknown = windows.stream().filter(window -> window.judgement() == Judgement.INCONCLUSIVE).toList();
        if (!unknown.isEmpty()) {
            add(7, unknown.getFirst().start(), (unknown.size() == 1 ? "One window" : unknown.size() + " windows")
                    + " gave no answer, whether the SLA held.");
        }
    }

    private void pauses() {
        List<Pause> all = paused();
        if (all.isEmpty()) {
            return;
        }
        String length = (all.size() == 1 ? " for " : ", together for ")
                + DurationText.spell(all.stream().mapToDouble(Pause::seconds).sum());
        add(6, all.getFirst().from(), (all.size() == 1 ? "It was paused" : "It was paused " + all.size() + " times")
                + (state instanceof RunState.Paused
                        ? ", and it still is."
                        : (all.getLast().to() == null ? "" : length) + "."));
    }

    private List<Pause> paused() {
        List<Pause> all = new ArrayList<>();
        Instant from = null;
        for (Window window : windows) {
            boolean now = window.phase().equals(RunPhase.PAUSED.wireName());
            if (!now && from != null) {
                all.add(new Pause(from, window.start()));
                from = null;
            } else if (now && from == null) {
                from = window.start();
            }
        }
        if (from != null) {
            all.add(new Pause(from, endDecidedAt));
        }
        return all;
    }

    private double withoutPauses(Instant from, Instant to) {
        return seconds(from, to) - paused().stream()
                .filter(pause -> !pause.from().isBefore(from) && pause.from().isBefore(to))
                .mapToDouble(Pause::seconds)
                .sum();
    }

    private void end() {
        RunEnd ending = state.ending();
        if (ending == null) {
            return;
        }
        switch (state) {
            case RunState.Finished finished -> {
                add(1, endDecidedAt == null ? finished.finishedAt() : endDecidedAt,
                        "The run ended: " + sentence(ending.reason().detail()));
                RestoreProof proof = finished.restored();
                add(1, finished.finishedAt(), restored(proof) + ": " + sentence(proof.detail()));
                add(0, finished.finishedAt(), sentence(Headline.of(finished.facts(), ending)));
            }
            case RunState.Restoring restoring -> add(1, restoring.decidedAt(),
                    "The run ends, and traffic is being restored: " + sentence(ending.reason().detail()));
            case RunState.Pending ignored -> throw new IllegalStateException("a pending run has no end");
            case RunState.Preparing ignored -> throw new IllegalStateException("a preparing run has no end");
            case RunState.Searching ignored -> throw new IllegalStateException("a searching run has no end");
        }
    }

    private static String restored(RestoreProof proof) {
        String took = DurationText.spell(proof.took().toMillis() / 1000.0);
        if (proof.proof() == RestoreProof.Proof.NOT_NEEDED) {
            return "No traffic had to be restored";
        }
        return switch (proof.traffic()) {
            case NATURAL -> "Traffic was natural again after " + took;
            case NOT_NATURAL -> "Traffic is NOT natural after " + took;
            case UNKNOWN -> "It cannot be known whether traffic is natural after " + took;
        };
    }

    private static String sentence(String text) {
        String stripped = text.strip();
        return stripped.endsWith(".") || stripped.endsWith("!") || stripped.endsWith("?") ? stripped : stripped + ".";
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }
}
