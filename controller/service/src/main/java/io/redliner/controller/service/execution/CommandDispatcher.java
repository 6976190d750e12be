// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends the commands of decisions to Kafka. */
final class CommandDispatcher {

    private final CommandPublisher publisher;

    private final Function<String, List<String>> fleets;

    private final Consumer<StoredRun> finalRecordDelivered;

    /**
     * Sends through this publisher.
     *
     * @param fleets the addresses of a service's instances; empty when they are not known
     * @param finalRecordDelivered is called on any thread when Kafka has the final record of a run
     */
    CommandDispatcher(CommandPublisher publisher, Function<String, List<String>> fleets,
            Consumer<StoredRun> finalRecordDelivered) {
        this.publisher = publisher;
        this.fleets = fleets;
        this.finalRecordDelivered = finalRecordDelivered;
    }

    /**
     * Sends what the command asks for.
     *
     * @param run as the decision leaves it
     * @param failed receives the reason when something was not delivered
     */
    void dispatch(StoredRun run, RunRules rules, RunCommand command, Failure failed) {
        switch (command) {
            case RunCommand.PublishRun publish -> publisher.publishRun(run, rules, publish.phase(), instances(run),
                    receipt("the run's phase " + publish.phase().wireName(), failed, () -> {
                        if (publish.phase() == RunPhase.FINISHED && releaseAcknowledged(run.state())) {
                            finalRecordDelivered.accept(run);
                        }
                    }));
            case RunCommand.SendLease send ->
                publisher.publishLease(run.state(), send.lease(), receipt(described(send.lease()), failed, () -> {}));
            case RunCommand.RecordStep ignored -> {
            }
            case RunCommand.RecordCapacity ignored -> {
            }
        }
    }

    /**
     * Sends the final record and the release of a finished run once more. The run counts as done only when both were
     * delivered: without the release, the redirectors would keep a lease that no controller ends.
     */
    void sendFinalRecord(StoredRun run, RunRules rules, @Nullable Lease release, Failure failed) {
        AtomicInteger missing = new AtomicInteger(release == null ? 1 : 2);
        Runnable delivered = () -> {
            if (missing.decrementAndGet() == 0) {
                finalRecordDelivered.accept(run);
            }
        };
        if (release != null) {
            publisher.publishLease(run.state(), release, receipt(described(release), failed, delivered));
        }
        publisher.publishRun(run, rules, RunPhase.FINISHED, instances(run),
                receipt("the run's end", failed, delivered));
    }

    /** Returns false when no redirector acknowledged the restore: possibly none received the release. */
    private static boolean releaseAcknowledged(RunState state) {
        return !(state instanceof RunState.Finished finished)
                || finished.restored().proof() != RestoreProof.Proof.BY_EXPIRY;
    }

    private List<String> instances(StoredRun run) {
        return fleets.apply(run.state().facts().service());
    }

    private static String described(Lease lease) {
        return lease.released()
                ? "the release of the lease"
                : "lease " + lease.sequence() + " over " + lease.share();
    }

    private static CommandPublisher.DeliveryCallback receipt(String what, Failure failed, Runnable delivered) {
        return new CommandPublisher.DeliveryCallback() {

            @Override
            public void delivered() {
                delivered.run();
            }

            @Override
            public void failed(String reason) {
                failed.notDelivered(what, reason);
            }
        };
    }

    /** Receives what was not delivered, and the reason. */
    interface Failure {

        void notDelivered(String what, String reason);
    }
}
