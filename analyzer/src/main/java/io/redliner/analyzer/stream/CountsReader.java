// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.redliner.contract.v1.Observation;
import java.io.IOException;

/**
 * An observation without its errors, latencies, overdue requests and gauges, which are checked for their form only: most
 * services have no run, and of those nothing else is of use.
 */
final class CountsReader {

    private static final int TYPE_BITS = 3;

    private static final int SERVICE = Observation.SERVICE_FIELD_NUMBER << TYPE_BITS
            | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private static final int INSTANCE = Observation.INSTANCE_FIELD_NUMBER << TYPE_BITS
            | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private static final int COLLECTOR = Observation.COLLECTOR_FIELD_NUMBER << TYPE_BITS
            | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private static final int SEQUENCE = Observation.SEQUENCE_FIELD_NUMBER << TYPE_BITS | WireFormat.WIRETYPE_VARINT;

    private static final int WINDOW_START = Observation.WINDOW_START_MS_FIELD_NUMBER << TYPE_BITS
            | WireFormat.WIRETYPE_VARINT;

    private static final int WINDOW_LENGTH = Observation.WINDOW_LENGTH_MS_FIELD_NUMBER << TYPE_BITS
            | WireFormat.WIRETYPE_VARINT;

    private static final int STARTED = Observation.STARTED_FIELD_NUMBER << TYPE_BITS | WireFormat.WIRETYPE_VARINT;

    private static final int COMPLETED = Observation.COMPLETED_FIELD_NUMBER << TYPE_BITS | WireFormat.WIRETYPE_VARINT;

    private static final int IN_FLIGHT = Observation.IN_FLIGHT_FIELD_NUMBER << TYPE_BITS | WireFormat.WIRETYPE_VARINT;

    private static final int OUTSIDE = Observation.OUTSIDE_FIELD_NUMBER << TYPE_BITS | WireFormat.WIRETYPE_VARINT;

    private static final int PROXIES = Observation.PROXIES_FIELD_NUMBER << TYPE_BITS | WireFormat.WIRETYPE_VARINT;

    private CountsReader() {}

    /** Reads one. */
    static Observation read(byte[] value) throws InvalidProtocolBufferException {
        var observation = Observation.newBuilder();
        try {
            var in = CodedInputStream.newInstance(value);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (!field(observation, tag, in)) {
                    in.skipField(tag);
                }
            }
        } catch (InvalidProtocolBufferException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidProtocolBufferException(e);
        }
        return observation.build();
    }

    /** Whether it was one that is needed. */
    private static boolean field(Observation.Builder to, int tag, CodedInputStream in) throws IOException {
        switch (tag) {
            case SERVICE -> to.setService(in.readStringRequireUtf8());
            case INSTANCE -> to.setInstance(in.readStringRequireUtf8());
            case COLLECTOR -> to.setCollector(in.readStringRequireUtf8());
            case SEQUENCE -> to.setSequence(in.readUInt64());
            case WINDOW_START -> to.setWindowStartMs(in.readInt64());
            case WINDOW_LENGTH -> to.setWindowLengthMs(in.readInt64());
            case STARTED -> to.setStarted(in.readUInt64());
            case COMPLETED -> to.setCompleted(in.readUInt64());
            case IN_FLIGHT -> to.setInFlight(in.readUInt64());
            case OUTSIDE -> to.setOutside(in.readUInt64());
            case PROXIES -> to.setProxies(in.readUInt32());
            default -> {
                return false;
            }
        }
        return true;
    }
}
