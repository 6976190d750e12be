// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes OTLP as JSON: protobuf's own mapping, but for the ids of traces in exemplars, which are hexadecimal there and
 * are not read here. See <a href="https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding">its specification</a>.
 */
final class JsonMessages {

    /** A point with its attributes has some four of these for each of its objects, see {@link ProtobufObjectLimit#MAX_OBJECTS}. */
    private static final int MAX_STRUCTURAL_CHARACTERS = 4 * ProtobufObjectLimit.MAX_OBJECTS;

    private JsonMessages() {}

    /**
     * Returns whether a text has so many braces, brackets and commas that it would become too many objects. Those in strings
     * count as well.
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

    /**
     * Parses a message; unknown fields are skipped.
     *
     * @throws InvalidProtocolBufferException when the text is no JSON, or no OTLP
     */
    static ExportMetricsServiceRequest read(byte[] text) throws InvalidProtocolBufferException {
        ExportMetricsServiceRequest.Builder message = ExportMetricsServiceRequest.newBuilder();
        JsonFormat.parser().ignoringUnknownFields().merge(new String(text, StandardCharsets.UTF_8), message);
        return message.build();
    }

    /** Writes the answer without blanks. */
    static byte[] write(ExportMetricsServiceResponse answer) throws InvalidProtocolBufferException {
        return JsonFormat.printer().omittingInsignificantWhitespace().print(answer).getBytes(StandardCharsets.UTF_8);
    }
}
