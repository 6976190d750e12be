// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.io.IOException;
import java.io.InputStream;

/** Parses a message that came over gRPC, unless it would become too many objects. */
final class LimitedMarshaller implements Marshaller<ExportMetricsServiceRequest> {

    static final String TOO_MANY = "a message consists of more than " + ProtobufObjectLimit.MAX_OBJECTS
            + " points, attributes and other parts, or of too deep ones: send fewer at a time";

    @Override
    public InputStream stream(ExportMetricsServiceRequest message) {
        return message.toByteString().newInput();
    }

    /** Parses all bytes; gRPC itself bounds their number. */
    @Override
    public ExportMetricsServiceRequest parse(InputStream stream) {
        try {
            byte[] bytes = stream.readAllBytes();
            if (ProtobufObjectLimit.tooMany(bytes)) {
                throw Status.RESOURCE_EXHAUSTED.withDescription(TOO_MANY).asRuntimeException();
            }
            return ExportMetricsServiceRequest.parseFrom(bytes);
        } catch (IOException e) {
            throw Status.INTERNAL.withDescription("a message is no OTLP").withCause(e).asRuntimeException();
        }
    }
}
