// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.notification.NotificationPayload;
import io.redliner.controller.core.notification.NotificationPayload.Measured;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.Headline;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.NotificationSubscription.NotificationEvent;
import io.redliner.controller.plan.yaml.NotificationReader;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.DecisionListener;
import io.redliner.controller.service.persistence.NotificationRepository;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Writes messages in the transaction of the decision that they report. A run takes precedence over its messages: a failure
 * here that is not the database's is logged and counted, and the decision stands.
 */
final class NotificationEnqueuer implements DecisionListener {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationEnqueuer.class);

    private final NotificationRepository notifications;

    private final CapacityRepository capacities;

    private final ChannelRegistry channels;

    private final double capacityChange;

    private final MeterRegistry meters;

    NotificationEnqueuer(NotificationRepository notifications, CapacityRepository capacities, ChannelRegistry channels,
            double capacityChange, MeterRegistry meters) {
        this.notifications = notifications;
        this.capacities = capacities;
        this.channels = channels;
        this.capacityChange = capacityChange;
        this.meters = meters;
    }

    @Override
    public void stored(DecisionRecord record) {
        try {
            Set<NotificationEvent> events = NotificationDecider.of(record.before().state(), record.decision());
            if (!events.isEmpty()) {
                announce(record.after(), events, record.decidedAt());
            }
        } catch (DataAccessException database) {
            throw database;
        } catch (RuntimeException mistake) {
            meters.counter("redliner.notifications", "kind", "unknown", "result", "lost").increment();
            LOG.error("what happened to run {} could not be announced: {}", record.runId(),
                    mistake.getClass().getSimpleName());
        }
    }

    private void announce(StoredRun run, Set<NotificationEvent> events, Instant at) {
        List<NotificationSubscription> subscriptions = subscriptions(run);
        for (NotificationEvent event : events) {
            if (subscriptions.stream().noneMatch(subscription -> subscription.on().contains(event))) {
                continue;
            }
            Measured previous = event == NotificationEvent.CAPACITY_CHANGED ? changed(run) : null;
            if (event == NotificationEvent.CAPACITY_CHANGED && previous == null) {
                continue;
            }
            NotificationPayload payload = Notices.of(run, event, previous, at);
            for (int entry = 0; entry < subscriptions.size(); entry++) {
                if (subscriptions.get(entry).on().contains(event)) {
                    notifications.add(payload, entry, channels.key(subscriptions.get(entry).receiver()));
                }
            }
        }
    }

    /** Returns the capacity before, of the same instance and plan, when this one is really another; null otherwise. */
    private @Nullable Measured changed(StoredRun run) {
        CapacityRecord capacity = capacities.ofRun(run.id()).orElse(null);
        CapacityRecord before = capacity == null ? null : capacities.before(run.id()).orElse(null);
        if (capacity == null || before == null || !before.planName().equals(capacity.planName())) {
            return null;
        }
        Measured previous = Notices.measured(before);
        return CapacityChange.real(previous, Notices.measured(capacity), capacityChange) ? previous : null;
    }

    private static List<NotificationSubscription> subscriptions(StoredRun run) {
        try {
            return NotificationReader.ofStored(run.plan().json());
        } catch (InvalidDocumentException outdated) {
            LOG.error("the section notify of the plan of run {} cannot be read any more", run.id());
            return List.of();
        }
    }

    /** Builds the messages about a run. */
    static final class Notices {

        private Notices() {}

        /** Returns the message about this event; {@code previous} is the capacity before a changed one. */
        static NotificationPayload of(StoredRun run, NotificationEvent event, @Nullable Measured previous, Instant at) {
            RunState state = run.state();
            RunFacts facts = state.facts();
            RunEnd ending = state.ending();
            NotificationPayload.Run payloadRun = new NotificationPayload.Run(run.id(), facts.service(), facts.sut(),
                    run.plan().name(), run.plan().hash(), state.phase().wireName());
            NotificationPayload.End end = ending == null
                    ? null
                    : new NotificationPayload.End(ending.outcome().name(), ending.reason().code().wireName(),
                            ending.reason().detail(),
                            state instanceof RunState.Finished finished ? finished.restored() : null,
                            Headline.of(state).orElse(null));
            return new NotificationPayload(event, at, payloadRun, end, capacity(ending),
                    event == NotificationEvent.CAPACITY_CHANGED ? previous : null, state.harm());
        }

        /** Returns a capacity that was recorded. */
        static Measured measured(CapacityRecord recorded) {
            return new Measured(recorded.capacity(), recorded.low(), recorded.high(), recorded.lowerBound(),
                    recorded.limitingRule(), Certainty.of(recorded.conclusion()));
        }

        /** Returns the capacity that the run found; null for an inconclusive or aborted run, whose estimate is no result. */
        private static @Nullable Measured capacity(@Nullable RunEnd ending) {
            return ending == null
                    ? null
                    : ending.capacity().map(found -> new Measured(found.capacity(), found.low(), found.high(),
                            ending.lowerBound(), found.limitingRule(), ending.certainty())).orElse(null);
        }
    }
}
