// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.redliner.contract.Topic;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.sender.SenderProof;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.contract.v1.Verdict;
import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.port.VerdictSource;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Both ports to Kafka without Kafka: records are encoded and decoded as they are there, and delivered at once, on the
 * sender's thread. Several controllers may share one bus.
 */
public final class InMemoryBus {

    private final List<Reader> readers = new CopyOnWriteArrayList<>();

    private final List<VerdictSource.Listener> controllers = new CopyOnWriteArrayList<>();

    /** Why no record is delivered now; null while records are. */
    @Nullable
    public volatile String outage;

    /** Receives what controllers publish. */
    public interface Reader {

        void record(Topic topic, String service, byte[] value);
    }

    public void subscribe(Reader reader) {
        readers.add(reader);
    }

    public void unsubscribe(Reader reader) {
        readers.remove(reader);
    }

    /** Delivers a record of an analyzer or redirector to all controllers. */
    public void send(Topic topic, byte[] value) {
        if (outage != null) {
            return;
        }
        try {
            switch (topic) {
                case VERDICTS -> {
                    Verdict verdict = Verdict.parseFrom(value);
                    controllers.forEach(controller -> {
                        controller.redirectorsReported(verdict.getService(), verdict.getRedirectorsList());
                        controller.verdict(TextSanitizer.of(verdict.getService()), VerdictDecoder.read(verdict));
                    });
                }
                case LEASE_STATUS -> {
                    LeaseStatus status = LeaseStatus.parseFrom(value);
                    controllers.forEach(controller -> controller.status(LeaseStatusDecoder.read(status),
                            SenderProof.read(status)));
                }
                default -> throw new IllegalArgumentException(topic + " has no reader here");
            }
        } catch (InvalidProtocolBufferException malformed) {
            throw new AssertionError(malformed);
        }
    }

    /** Publishes a kill switch that comes from no controller. */
    public void publish(KillSwitch killSwitch) {
        readers.forEach(
                reader -> reader.record(Topic.LEASES, "", killSwitch.topicRecord().toByteArray()));
    }

    /** One controller's way out. */
    public CommandPublisher publisher() {
        return new CommandPublisher() {

            @Override
            public void publishRun(StoredRun run, RunRules rules, RunPhase phase, List<String> instances,
                    CommandPublisher.DeliveryCallback callback) {
                publish(Topic.RUNS, run.state().facts().service(),
                        CommandEncoder.runSpec(run.state().facts(), rules, run.plan().hash(), phase, instances),
                        callback);
            }

            @Override
            public void publishLease(RunState state, Lease lease, CommandPublisher.DeliveryCallback callback) {
                publish(Topic.LEASES, state.facts().service(), CommandEncoder.lease(state, lease), callback);
            }

            @Override
            public void publishKillSwitch(KillSwitch killSwitch, CommandPublisher.DeliveryCallback callback) {
                publish(Topic.LEASES, "", killSwitch.topicRecord(), callback);
            }
        };
    }

    private void publish(Topic topic, String service, MessageLite message, CommandPublisher.DeliveryCallback callback) {
        String broken = outage;
        if (broken == null) {
            readers.forEach(reader -> reader.record(topic, service, message.toByteArray()));
            callback.delivered();
        } else {
            callback.failed(broken);
        }
    }

    /** One controller's way in. */
    public VerdictSource source(VerdictSource.Listener controller) {
        return new VerdictSource() {

            private volatile boolean started;

            @Override
            public void start() {
                controllers.add(controller);
                started = true;
            }

            @Override
            public boolean alive() {
                return started;
            }

            @Override
            public boolean reading() {
                return started && outage == null;
            }

            @Override
            public @Nullable String failure() {
                return null;
            }

            @Override
            public void close() {
                controllers.remove(controller);
            }
        };
    }
}
