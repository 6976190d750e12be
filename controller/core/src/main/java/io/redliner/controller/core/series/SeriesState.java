// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.core.sut.SutSelection;
import io.redliner.controller.plan.Profile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a series is. Its members are run one at a time, in their order.
 *
 * @param tolerance what change matters to a regression, a ratio; 0 for scalability
 * @param moreIsBetter whether the members measure something that should be large
 * @param members in the order in which they are run
 * @param abortReason somebody wants it to end; absent while nobody does
 * @param waitingSince the next member cannot be started since; absent when it can
 * @param end absent while it goes on
 * @param sides whose instance was chosen when the series began; those that the plan names are not among them
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
     * Why the members with a label are of the instance that they are of.
     *
     * @param label as of the members
     */
    public record Side(String label, SutSelection chosen) {}

    /**
     * One run of it.
     *
     * @param label what it stands for: {@code old}, {@code new}, or the size
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

        /** To be started once more. */
        Member again() {
            return new Member(number, label, instance, size, attempt + 1, null, null);
        }

        public boolean live() {
            return runId != null && result == null;
        }
    }

    /**
     * What a run came to.
     *
     * @param measurement absent when it has none to offer
     * @param again whether only a controller that stopped ended it
     * @param code why it stopped; absent where no code is known
     */
    public record Result(RunOutcome outcome, String reason, @Nullable Measurement measurement, boolean again,
            @Nullable StopCode code) {

        Result(RunOutcome outcome, String reason, @Nullable Measurement measurement, boolean again) {
            this(outcome, reason, measurement, again, null);
        }
    }

    /** How it ended. */
    public record End(Kind kind, String reason, Instant at) {

        /** The ends there are. */
        public enum Kind {

            /** Every member was run. */
            COMPLETED,
            /** Somebody ended it, or one of its runs. */
            ABORTED,
            /** A run failed, or could not be started. */
            FAILED
        }
    }

    /** Why a member is of its instance; empty when the plan names it. */
    public Optional<SutSelection> chosen(Member member) {
        return sides.stream().filter(side -> side.label().equals(member.label())).map(Side::chosen).findFirst();
    }

    /** The run under way. */
    public Optional<Member> live() {
        return members.stream().filter(Member::live).findFirst();
    }

    /** The next one to start. */
    public Optional<Member> next() {
        return members.stream().filter(member -> member.runId() == null).findFirst();
    }

    SeriesState with(Member changed) {
        List<Member> all = new ArrayList<>(members);
        all.set(changed.number() - 1, changed);
        return new SeriesState(id, profile, tolerance, moreIsBetter, all, abortReason, null, end,
                sides);
    }

    SeriesState aborting(String reason) {
        return new SeriesState(id, profile, tolerance, moreIsBetter, members, reason, waitingSince, end,
                sides);
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
