// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.Profile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a series. Its members are run one at a time, in their order.
 *
 * @param tolerance the smallest change that matters to a regression, a ratio; 0 for scalability
 * @param moreIsBetter true when the members measure a quantity that should be large
 * @param members in the order in which they are run
 * @param abortReason the reason of a user who asked to end it; absent while nobody has
 * @param waitingSince the instant since which the next member cannot be started; absent when it can
 * @param end absent while it goes on
 * @param sides the instances that were selected when the series began; sides whose instance the plan names are left out
 */
public record SeriesState(String id, Profile profile, double tolerance, boolean moreIsBetter, List<Member> members,
        @Nullable String abortReason, @Nullable Instant waitingSince, @Nullable End end, List<Side> sides) {

    public SeriesState {
        members = List.copyOf(members);
        sides = sides == null ? List.of() : List.copyOf(sides);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a series has members");
        }
    }

    /**
     * The selection of the instance for all members with a label.
     *
     * @param label as of the members
     */
    public record Side(String label, SutSelection chosen) {}

    /**
     * One run of it.
     *
     * @param label {@code old}, {@code new}, or the size
     * @param size of the instance; 0 in a regression
     * @param attempt 1 for the first; a run that only its controller ended is started again
     * @param runId absent until it is started
     * @param result absent until it is over
     */
    public record Member(int number, String label, String instance, double size, int attempt, @Nullable String runId,
            @Nullable Result result) {

        Member started(String newRunId) {
            return new Member(number, label, instance, size, attempt, newRunId, null);
        }

        Member ended(Result newResult) {
            return new Member(number, label, instance, size, attempt, runId, newResult);
        }

        /** Returns the member for its next attempt. */
        Member again() {
            return new Member(number, label, instance, size, attempt + 1, null, null);
        }

        public boolean live() {
            return runId != null && result == null;
        }
    }

    /**
     * The result of a member's run.
     *
     * @param measurement absent when the run measured nothing
     * @param again true when only the stop or the loss of its controller ended it, so that it is run again
     * @param code why it stopped; absent where no code is known
     */
    public record Result(RunOutcome outcome, String reason, @Nullable Measurement measurement, boolean again,
            @Nullable StopCode code) {

        Result(RunOutcome outcome, String reason, @Nullable Measurement measurement, boolean again) {
            this(outcome, reason, measurement, again, null);
        }
    }

    /** The end of a series. */
    public record End(Kind kind, String reason, Instant at) {

        /** The ways in which a series ends. */
        public enum Kind {

            /** Every member was run. */
            COMPLETED,
            /** A user ended it, or one of its runs was aborted. */
            ABORTED,
            /** A run failed, or could not be started. */
            FAILED
        }
    }

    /** Returns the selection of a member's instance; empty when the plan names the instance. */
    public Optional<SutSelection> chosen(Member member) {
        return sides.stream().filter(side -> side.label().equals(member.label())).map(Side::chosen).findFirst();
    }

    /** Returns the run under way. */
    public Optional<Member> live() {
        return members.stream().filter(Member::live).findFirst();
    }

    /** Returns the next one to start. */
    public Optional<Member> next() {
        return members.stream().filter(member -> member.runId() == null).findFirst();
    }

    SeriesState with(Member changed) {
        List<Member> all = new ArrayList<>(members);
        all.set(changed.number() - 1, changed);
        return new SeriesState(id, profile, tolerance, moreIsBetter, all, abortReason, null, end, sides);
    }

    SeriesState aborting(String reason) {
        return new SeriesState(id, profile, tolerance, moreIsBetter, members, reason, waitingSince, end, sides);
    }

    SeriesState waiting(Instant since) {
        return new SeriesState(id, profile, tolerance, moreIsBetter, members, abortReason,
                waitingSince == null ? since : waitingSince, end, sides);
    }

    SeriesState ended(End.Kind kind, String reason, Instant at) {
        return new SeriesState(id, profile, tolerance, moreIsBetter, members, abortReason, waitingSince,
                new End(kind, reason, at), sides);
    }
}
