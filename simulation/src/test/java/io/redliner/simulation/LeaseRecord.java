// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.lease.KillSwitch;
import io.redliner.redirector.kafka.LeaseDecoder;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.LeaseReconciler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A record of the topic of leases.
 *
 * @param value absent in a tombstone
 * @param ofSwitch whether it has the key of the kill switch, and so is in that partition
 * @param forged whether no controller wrote it
 * @param at when it was written, ms
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record LeaseRecord(byte[] key, byte @Nullable [] value, boolean ofSwitch, boolean forged, long at) {

    static LeaseRecord written(String key, byte[] value, boolean ofSwitch, long at) {
        return new LeaseRecord(key.getBytes(StandardCharsets.UTF_8), value, ofSwitch, false, at);
    }

    /** Gives it to a redirector, as the consumer does: one that cannot be read is skipped, and what is read is acted on later. */
    void deliver(LeaseReconciler redirector, Consumer<Lease> known, Instant now, boolean late) {
        List<Runnable> events = new ArrayList<>();
        try {
            LeaseDecoder.deliver(key, value, new Queue(redirector, known, events), Duration.ZERO, now, late);
        } catch (InvalidProtocolBufferException | RuntimeException skipped) {
            if (!forged) {
                throw new AssertionError(skipped);
            }
        }
        events.forEach(Runnable::run);
    }

    private record Queue(LeaseReconciler redirector, Consumer<Lease> known, List<Runnable> events)
            implements
                LeaseListener {

        @Override
        public void received(Lease lease, Instant receivedAt) {
            events.add(() -> {
                known.accept(lease);
                redirector.receive(lease, receivedAt);
            });
        }

        @Override
        public void killSwitchChanged(KillSwitch killSwitch, Instant receivedAt) {
            events.add(() -> redirector.killSwitchChanged(killSwitch, receivedAt));
        }

        @Override
        public void caughtUp() {
            events.add(redirector::start);
        }
    }
}
