// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.service.persistence.JournalNote;
import io.redliner.controller.service.persistence.RunHistoryRepository;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision for people.
 *
 * @param event what it was made about: {@code VerdictArrived}, {@code AbortRequested} and so on
 * @param about the same in words
 * @param windowSequence of the window that it was made about; absent when it was made about something else
 * @param judgement of that window
 * @param askedShareBefore absent while no lease was out
 * @param reason why; empty when there is nothing to say
 */
record DecisionView(long sequence, Instant at, String event, String about, @Nullable Long windowSequence,
        @Nullable String judgement, String phaseBefore, String phase, @Nullable Double askedShareBefore,
        double askedShare, List<CommandView> commands, String reason, @Nullable String outcome) {

    /** A command that the decision leads to. */
    record CommandView(String kind, String words) {

        static CommandView of(RunCommand command) {
            return new CommandView(command.kind(), words(command));
        }

        private static String words(RunCommand command) {
            return switch (command) {
                case RunCommand.PublishRun run ->
                    "tell collectors and analyzer that the run is " + run.phase().wireName();
                case RunCommand.SendLease send -> (send.lease().released()
                        ? "give the share back"
                        : "ask for a share of "
                                + send.lease().share())
                        + " (lease " + send.lease().sequence() + ")";
                case RunCommand.RecordStep record -> "keep step " + record.step().number() + " of the search";
                case RunCommand.RecordCapacity record -> "record a capacity"
                        + (record.lowerBound() ? ", which is at least that" : "");
            };
        }
    }

    /** Returns the end of the run, for decisions from the one that ends it on; its reason and outcome do not change afterwards. */
    static @Nullable RunEnd ending(JournalNote note, @Nullable RunEnd runs) {
        return isAboutTheEnd(note) ? runs : null;
    }

    static boolean isAboutTheEnd(JournalNote note) {
        return note.phase().equals(RunPhase.RESTORING.wireName()) || note.phase().equals(RunPhase.FINISHED.wireName());
    }

    /** @param runs the run's ending, as it is known now */
    static DecisionView of(RunHistoryRepository.DecisionRow row, @Nullable RunEnd runs) {
        JournalNote note = row.note();
        RunEnd ending = ending(note, runs);
        RunEvent.VerdictArrived arrived = note.event() instanceof RunEvent.VerdictArrived verdict ? verdict : null;
        String before = row.phaseBefore();
        return new DecisionView(note.sequence(), note.decidedAt(), note.event().kind(),
                about(note.event()), arrived == null ? null : arrived.verdict().sequence(),
                arrived == null ? null : arrived.verdict().judgement().name(),
                before == null ? RunPhase.PENDING.wireName() : before, note.phase(),
                row.askedBefore() == null ? null : row.askedBefore().ratio(), note.asked().ratio(),
                note.commands().stream().map(CommandView::of).toList(),
                ending == null ? note.event().reason() : ending.reason().detail(),
                ending == null ? null : ending.outcome().name());
    }

    private static String about(RunEvent event) {
        return switch (event) {
            case RunEvent.Submitted ignored -> "the run was submitted";
            case RunEvent.VerdictArrived arrived -> "window " + arrived.verdict().sequence() + " was judged: "
                    + switch (arrived.verdict().judgement()) {
                        case HOLDS -> "the SLA holds";
                        case BREACHED -> "the SLA is broken";
                        case INCONCLUSIVE -> "it says nothing reliable";
                    };
            case RunEvent.LeaseStatusArrived status -> "redirector " + status.report().redirector() + " says lease "
                    + status.report().leaseSequence() + " is " + status.report().state();
            case RunEvent.Tick ignored -> "time passed";
            case RunEvent.AbortRequested ignored -> "somebody asked to abort";
            case RunEvent.NotDelivered failed -> "a record could not be delivered: " + failed.what();
            case RunEvent.ControllerStopping ignored -> "the controller is about to stop";
            case RunEvent.PauseRequested ignored -> "somebody asked for a pause";
            case RunEvent.ResumeRequested ignored -> "somebody asked to go on";
            case RunEvent.Approved approved -> approved.by() + " let the run begin";
            case RunEvent.ClockJumped jumped -> "the controller's clock was set by " + jumped.by().toMillis() + " ms";
            case RunEvent.Halted ignored -> "runs are not wanted now";
            case RunEvent.TakenOver taken -> "a controller took the run over under epoch " + taken.epoch();
        };
    }
}
