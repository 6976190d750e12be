// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.RequestMethod;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogCommon;
import io.envoyproxy.envoy.data.accesslog.v3.AccessLogType;
import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.service.accesslog.v3.StreamAccessLogsMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A message of access logs as Envoy 1.40 writes it, with all the fields that it fills in: the starts of so many requests, and their
 * ends. Its bytes are made once; only the second that it is of is written anew, so that sending costs next to nothing.
 */
final class AccessLogMessage {

    private static final int SECOND_BYTES = 5;

    /** Five bytes as a varint, and nothing else in a message looks the same. */
    private static final long MARK = 0x7_1234_5678L;

    private static final int NANOS_IN_MILLI = 1_000_000;

    private final byte[] bytes;

    private final int entries;

    private final int[] seconds;

    /**
     * @param requests at so many instances, in turn
     * @param firstSaysWho whether it begins as the first message of a stream
     */
    AccessLogMessage(int requests, int instances, long seed, boolean firstSaysWho) {
        SplittableRandom random = new SplittableRandom(seed);
        StreamAccessLogsMessage.Builder message = StreamAccessLogsMessage.newBuilder();
        if (firstSaysWho) {
            message.getIdentifierBuilder().setLogName("shop").getNodeBuilder().setId("node-" + seed)
                    .setCluster("redliner");
        }
        HTTPAccessLogEntry.Builder[] ends = new HTTPAccessLogEntry.Builder[requests];
        for (int number = 0; number < requests; number++) {
            String id = new UUID(random.nextLong(), random.nextLong()).toString();
            int instance = number % instances;
            message.getHttpLogsBuilder().addLogEntry(start(id, instance, random));
            ends[number] = end(id, instance, random);
        }
        for (HTTPAccessLogEntry.Builder end : ends) {
            message.getHttpLogsBuilder().addLogEntry(end);
        }
        bytes = message.build().toByteArray();
        entries = 2 * requests;
        seconds = marks(bytes, entries);
    }

    int entries() {
        return entries;
    }

    /** The message as of a second since the epoch; the same array each time. */
    byte[] at(long second) {
        byte[] varint = varint(second);
        for (int position : seconds) {
            System.arraycopy(varint, 0, bytes, position, SECOND_BYTES);
        }
        return bytes;
    }

    private static HTTPAccessLogEntry.Builder start(String id, int instance, SplittableRandom random) {
        HTTPAccessLogEntry.Builder entry = entry(id, instance);
        entry.getCommonPropertiesBuilder().setAccessLogType(AccessLogType.UpstreamPoolReady)
                .setTimeToFirstUpstreamTxByte(micros(200 + random.nextInt(100)));
        return entry;
    }

    private static HTTPAccessLogEntry.Builder end(String id, int instance, SplittableRandom random) {
        HTTPAccessLogEntry.Builder entry = entry(id, instance);
        int took = 2_000 + random.nextInt(50_000);
        AccessLogCommon.Builder common = entry.getCommonPropertiesBuilder()
                .setAccessLogType(AccessLogType.DownstreamEnd).setStreamId(id).setDuration(micros(took + 50))
                .setTimeToLastRxByte(micros(20)).setTimeToFirstUpstreamTxByte(micros(250))
                .setTimeToLastUpstreamTxByte(micros(260)).setTimeToFirstUpstreamRxByte(micros(took - 200))
                .setTimeToLastUpstreamRxByte(micros(took - 150)).setTimeToFirstDownstreamTxByte(micros(took - 100))
                .setTimeToLastDownstreamTxByte(micros(took));
        common.setDownstreamWireBytesReceived(180).setDownstreamWireBytesSent(900).setUpstreamWireBytesReceived(850)
                .setUpstreamWireBytesSent(320);
        entry.getResponseBuilder().setResponseCode(UInt32Value.of(200)).setResponseCodeDetails("via_upstream")
                .setResponseHeadersBytes(160).setResponseBodyBytes(700);
        return entry;
    }

    private static HTTPAccessLogEntry.Builder entry(String id, int instance) {
        HTTPAccessLogEntry.Builder entry = HTTPAccessLogEntry.newBuilder()
                .setProtocolVersion(HTTPAccessLogEntry.HTTPVersion.HTTP11);
        entry.getCommonPropertiesBuilder().setStartTime(Timestamp.newBuilder().setSeconds(MARK)
                .setNanos(100 * NANOS_IN_MILLI))
                .setDownstreamRemoteAddress(address("10.1.2.3", 40_123))
                .setDownstreamDirectRemoteAddress(address("10.1.2.3", 40_123))
                .setDownstreamLocalAddress(address("10.0.0.1", 443))
                .setUpstreamRemoteAddress(address("10.0.1." + instance, 8_080))
                .setUpstreamLocalAddress(address("10.0.0.1", 51_234)).setUpstreamCluster("shop")
                .setRouteName("shop").setUpstreamRequestAttemptCount(1);
        entry.getRequestBuilder().setRequestMethod(RequestMethod.GET).setScheme("https").setAuthority("shop.internal")
                .setPath("/api/v1/items/12345?expand=true").setUserAgent("Mozilla/5.0 (X11; Linux x86_64)")
                .setRequestId(id).setRequestHeadersBytes(240).setForwardedFor("192.0.2.7");
        return entry;
    }

    private static Address address(String host, int port) {
        Address.Builder address = Address.newBuilder();
        address.getSocketAddressBuilder().setAddress(host).setPortValue(port);
        return address.build();
    }

    private static Duration micros(int micros) {
        return Duration.newBuilder().setNanos(1_000 * micros).build();
    }

    private static int[] marks(byte[] message, int expected) {
        byte[] mark = varint(MARK);
        int[] found = new int[expected];
        int count = 0;
        for (int position = 0; position + SECOND_BYTES <= message.length && count < expected; position++) {
            int same = 0;
            while (same < SECOND_BYTES && message[position + same] == mark[same]) {
                same++;
            }
            if (same == SECOND_BYTES) {
                found[count] = position;
                count++;
            }
        }
        if (count != expected) {
            throw new IllegalStateException(count + " of " + expected + " entries have a start time");
        }
        return found;
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            var coded = CodedOutputStream.newInstance(out, SECOND_BYTES);
            coded.writeUInt64NoTag(value);
            coded.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
