// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.driver;

import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.messaging.Outbox;
import io.redliner.controller.messaging.RunMessage;
import io.redliner.controller.run.Command;
import io.redliner.controller.run.Lease;
import io.redliner.controller.run.Phase;
import io.redliner.controller.run.RunFacts;
import java.util.function.Consumer;

/** Does what decisions command, as far as it leaves the process. */
final class Dispatcher {

    private final Outbox outbox;

    Dispatcher(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Sends what the command asks for.
     *
     * @param failed is told why something was not delivered
     * @param farewell is told when the last record of the run was delivered
     */
    void dispatch(LiveRun run, Command command, Failure failed, Consumer<StoredRun> farewell) {
        RunFacts facts = run.state().facts();
        StoredRun stored = run.stored();
        switch (command) {
            case Command.PublishRun publish -> outbox.send(message(facts, run, publish.phase()),
                    receipt("the run's phase " + publish.phase().word(), failed, () -> {
                        if (publish.phase() == Phase.FINISHED) {
                            farewell.accept(stored);
                        }
                    }));
            case Command.SendLease send -> outbox.send(facts, send.lease(), receipt(described(send.lease()), failed,
                    () -> {}));
            case Command.RecordStep ignored -> {
            }
            case Command.RecordCapacity ignored -> {
            }
        }
    }

    private static RunMessage message(RunFacts facts, LiveRun run, Phase phase) {
        RunRules rules = run.rules();
        return new RunMessage(facts, rules.sla(), rules.guards(), run.stored().planHash(), rules.latencyLimits(),
                phase);
    }

    private static String described(Lease lease) {
        return lease.released()
                ? "the release of the lease"
                : "lease " + lease.sequence() + " over " + lease.share();
    }

    private static Outbox.Receipt receipt(String what, Failure failed, Runnable delivered) {
        return new Outbox.Receipt() {

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

    /** Hears of what was not delivered. */
    interface Failure {

        void notDelivered(String what, String reason);
    }
}
