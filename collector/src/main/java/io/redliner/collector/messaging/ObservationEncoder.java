// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.messaging;

import com.google.protobuf.ByteString;
import io.redliner.collector.window.OverdueCount;
import io.redliner.collector.window.SealedWindow;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Overdue;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/** Writes sealed windows as the contract's observations. */
final class ObservationEncoder {

    private final String collector;

    ObservationEncoder(String collector) {
        this.collector = collector;
    }

    Observation encode(SealedWindow window) {
        Observation.Builder observation = Observation.newBuilder().setService(window.service())
                .setInstance(window.instance()).setCollector(collector).setSequence(window.sequence())
                .setWindowStartMs(window.start().toEpochMilli()).setWindowLengthMs(window.length().toMillis())
                .setStarted(window.started()).setCompleted(window.completed()).setInFlight(window.inFlight())
                .setProxies(window.proxies()).setOutside(window.outside());
        window.errors().forEach((kind, count) -> observation
                .addErrors(ErrorCount.newBuilder().setErrorClass(errorClass(kind)).setCount(count)));
        window.latency().ifPresent(latency -> observation.setLatency(encode(latency)));
        for (OverdueCount overdue : window.overdue()) {
            observation.addOverdue(Overdue.newBuilder().setLimitMicros(overdue.limit().toNanos() / 1_000)
                    .setNewlyOverdue(overdue.newlyOverdue()).setSettled(overdue.settled()));
        }
        return observation.build();
    }

    private static ByteString encode(Histogram latency) {
        ByteBuffer buffer = ByteBuffer.allocate(latency.getNeededByteBufferCapacity());
        int length = latency.encodeIntoCompressedByteBuffer(buffer);
        return ByteString.copyFrom(buffer.array(), 0, length);
    }

    private static ErrorClass errorClass(io.redliner.collector.window.ErrorClass kind) {
        return switch (kind) {
            case SERVER -> ErrorClass.ERROR_CLASS_SERVER;
            case TIMEOUT -> ErrorClass.ERROR_CLASS_TIMEOUT;
            case CONNECT -> ErrorClass.ERROR_CLASS_CONNECT;
            case RESET -> ErrorClass.ERROR_CLASS_RESET;
            case REFUSED_BY_PROXY -> ErrorClass.ERROR_CLASS_REFUSED_BY_PROXY;
        };
    }
}
