// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import io.redliner.contract.Topic;
import io.redliner.contract.v1.RunSpec;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.service.kafka.CommandEncoder;
import io.redliner.simulation.Network.Place;
import java.util.List;

/** Writes to the topics what controllers send, in the contract's bytes, as long as the network lets it. */
final class SimulatedPublisher {

    /** A producer gives up after this, ms. */
    private static final long NOT_DELIVERED = 2500;

    private final LoopSimulation loop;

    private final RunRules rules;

    SimulatedPublisher(LoopSimulation loop, RunRules rules) {
        this.loop = loop;
        this.rules = rules;
    }

    void lease(SimulatedController from, RunFacts facts, Lease lease) {
        loop.promises.issued(lease, from.ahead());
        again(from, facts, lease);
    }

    /** Sends a lease that may have been sent before, and tells whether Kafka took it. */
    boolean again(SimulatedController from, RunFacts facts, Lease lease) {
        boolean delivered = delivered(from, "the lease");
        if (delivered) {
            io.redliner.contract.v1.Lease message = CommandEncoder.lease(facts, lease);
            loop.forger.read(message);
            loop.topic.write(Place.CONTROLLER, LeaseRecord.written(LoopSimulation.SERVICE, message.toByteArray(), false,
                    loop.time.now()));
        }
        return delivered;
    }

    void run(SimulatedController from, RunFacts facts, RunPhase phase) {
        RunSpec spec = CommandEncoder.runSpec(facts, rules, "", phase, List.of());
        if (delivered(from, "the run's phase")) {
            loop.forger.read(spec);
            byte[] message = spec.toByteArray();
            loop.network.send(Place.CONTROLLER, Place.ANALYZER,
                    () -> loop.analyzer.received(Topic.RUNS, LoopSimulation.SERVICE, message));
        }
    }

    private boolean delivered(SimulatedController from, String what) {
        if (loop.network.reaches(Place.CONTROLLER)) {
            return true;
        }
        loop.time.after(NOT_DELIVERED, () -> from.step(new RunEvent.NotDelivered(what, "no broker")));
        return false;
    }
}
