// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.nio.charset.StandardCharsets;

/**
 * OTLP as JSON: protobuf's own mapping, but for the ids of traces in exemplars, which are hexadecimal there and are not read
 * here. See <a href="https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding">its specification</a>.
 */
final class JsonMessages {

    /** A point with its attributes has some four for each of its pieces, see {@link ProtobufObjectLimit#MAX_OBJECTS}. */
    private static final int MAX_STRUCTURAL_CHARACTERS = 4 * ProtobufObjectLimit.MAX_OBJECTS;

    private JsonMessages() {}

    /**
     * Whether a text has so many braces, brackets and commas that it would become too many objects. What is in strings counts
     * as well.
     */
    static boolean tooMany(byte[] text) {
        int signs = 0;
        for (byte letter : text) {
            if (letter == '{' || letter == '[' || letter == ',') {
                signs++;
            }
        }
        return signs > MAX_STRUCTURAL_CHARACTERS;
    }

    /** @throws InvalidProtocolBufferException when it is no JSON, or says something else than OTLP does */
    static ExportMetricsServiceRequest read(byte[] text) throws InvalidProtocolBufferException {
        ExportMetricsServiceRequest.Builder message = ExportMetricsServiceRequest.newBuilder();
        JsonFormat.parser().ignoringUnknownFields().merge(new String(text, StandardCharsets.UTF_8), message);
        return message.build();
    }

    /** Integers are written as such, and not by name. */
    static byte[] write(ExportMetricsServiceResponse answer) throws InvalidProtocolBufferException {
        return JsonFormat.printer().omittingInsignificantWhitespace().print(answer).getBytes(StandardCharsets.UTF_8);
    }
}
