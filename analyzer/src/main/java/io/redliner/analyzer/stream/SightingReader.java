// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.analyzer.window.Sighting;
import io.redliner.contract.v1.ErrorClass;
import io.redliner.contract.v1.ErrorCount;
import io.redliner.contract.v1.Observation;
import io.redliner.sla.Measured;
import io.redliner.sla.Overdue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** From the contract's observation to the analyzer's sighting. */
final class SightingReader {

    private static final int PRECISION = 3;

    /** Never changed. */
    private static final Histogram NO_LATENCY = new Histogram(PRECISION);

    private SightingReader() {}

    /**
     * Reads one.
     *
     * @param withLatency whether the latencies are of use to anybody; without, they are empty
     * @throws MalformedRecordException when it is no observation of the service
     */
    static Sighting read(String service, byte[] value, boolean withLatency) throws MalformedRecordException {
        try {
            var observation = Observation.parseFrom(value);
            if (!observation.getService().equals(service) || observation.getInstance().isEmpty()) {
                throw new MalformedRecordException("an observation of instance '" + observation.getInstance()
                        + "' of service '" + observation.getService() + "' under the key '" + service + "'");
            }
            return new Sighting(observation.getCollector(), observation.getSequence(), observation.getInstance(),
                    observation.getWindowStartMs(),
                    measured(observation, withLatency ? latency(observation) : NO_LATENCY),
                    observation.getInFlight());
        } catch (InvalidProtocolBufferException | DataFormatException | RuntimeException e) {
            // Whatever a decoder makes of bytes that anybody may have sent.
            throw new MalformedRecordException("not an observation", e);
        }
    }

    private static Measured measured(Observation observation, Histogram latency) {
        long errors = observation.getErrorsList().stream().mapToLong(ErrorCount::getCount).sum();
        long timeouts = observation.getErrorsList().stream()
                .filter(error -> error.getErrorClass() == ErrorClass.ERROR_CLASS_TIMEOUT)
                .mapToLong(ErrorCount::getCount).sum();
        var overdue = observation.getOverdueList().stream()
                .map(entry -> new Overdue(Duration.ofNanos(Math.multiplyExact(entry.getLimitMicros(), 1_000L)),
                        entry.getNewlyOverdue(), entry.getSettled()))
                .toList();
        return new Measured(Duration.ofMillis(observation.getWindowLengthMs()), observation.getStarted(),
                observation.getCompleted(), errors, timeouts, latency, overdue,
                observation.getGaugesMap());
    }

    private static Histogram latency(Observation observation) throws DataFormatException {
        if (observation.getLatency().isEmpty()) {
            return NO_LATENCY;
        }
        var latency = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(observation.getLatency().toByteArray()), 0);
        if (latency.getNumberOfSignificantValueDigits() > PRECISION) {
            throw new IllegalArgumentException("its latencies have " + latency.getNumberOfSignificantValueDigits()
                    + " significant digits, and at most " + PRECISION + " are understood");
        }
        return latency;
    }
}
