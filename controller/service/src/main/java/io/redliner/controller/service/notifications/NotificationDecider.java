// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.run.Milestones;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.StopCode;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import java.util.EnumSet;
import java.util.Set;

/** Decides which events receivers are notified of after a decision. */
final class NotificationDecider {

    private NotificationDecider() {}

    /** {@link NotificationEvent#CAPACITY_CHANGED} is among them when a capacity was found: whether it changed is not known here. */
    static Set<NotificationEvent> of(RunState before, RunDecision decision) {
        RunState after = decision.state();
        Set<NotificationEvent> events = EnumSet.noneOf(NotificationEvent.class);
        if (before instanceof RunState.Pending && after instanceof RunState.Leased) {
            events.add(NotificationEvent.STARTED);
        }
        if (breached(after) && !breached(before)) {
            events.add(NotificationEvent.BREACHED);
        }
        if (after instanceof RunState.Finished finished && !(before instanceof RunState.Finished)) {
            events.add(end(finished.ending()));
            if (!finished.restored().proven()) {
                events.add(NotificationEvent.RESTORE_UNPROVEN);
            }
        }
        if (decision.commands().stream().anyMatch(RunCommand.RecordCapacity.class::isInstance)) {
            events.add(NotificationEvent.CAPACITY_CHANGED);
        }
        return events;
    }

    private static NotificationEvent end(RunEnd ending) {
        return switch (ending.outcome()) {
            case CAPACITY_FOUND, TRAFFIC_EXHAUSTED, PASSED, THRESHOLD_FAILED -> NotificationEvent.FINISHED;
            case INCONCLUSIVE -> NotificationEvent.INCONCLUSIVE;
            case ABORTED -> NotificationEvent.ABORTED;
            case FAILED -> NotificationEvent.FAILED;
        };
    }

    private static boolean breached(RunState state) {
        return switch (state) {
            case RunState.Pending ignored -> false;
            case RunState.Preparing preparing -> breached(preparing.course().milestones());
            case RunState.Searching searching -> breached(searching.course().milestones());
            case RunState.Restoring restoring -> breached(restoring.course().milestones())
                    || broke(restoring.ending());
            case RunState.Finished finished -> breached(finished.milestones()) || broke(finished.ending());
        };
    }

    private static boolean breached(Milestones milestones) {
        return milestones.thresholdBreachedAt() != null;
    }

    private static boolean broke(RunEnd ending) {
        return ending.reason().code() == StopCode.GUARD_BREACHED;
    }
}
