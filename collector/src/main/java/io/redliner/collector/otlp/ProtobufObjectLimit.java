// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.io.IOException;

/**
 * Counts the objects that a message would become, before it is parsed. An empty point takes two bytes on the wire and some eighty
 * in memory, so a message of a few megabytes could fill the heap.
 */
final class ProtobufObjectLimit {

    /**
     * Maximum number of objects in a message. A point with five attributes consists of eleven objects, and no service has twenty
     * thousand such points.
     */
    static final int MAX_OBJECTS = 250_000;

    /** Maximum depth of nested messages; values of attributes may be nested. */
    private static final int MAX_DEPTH = 32;

    private final CodedInputStream wire;

    private int pieces;

    private ProtobufObjectLimit(byte[] message) {
        this.wire = CodedInputStream.newInstance(message);
    }

    /**
     * Returns whether a message has more than {@link #MAX_OBJECTS}, or they are nested too deep.
     *
     * @throws IOException when it is no protobuf
     */
    static boolean tooMany(byte[] message) throws IOException {
        return !new ProtobufObjectLimit(message).fit(ExportMetricsServiceRequest.getDescriptor(), 0);
    }

    private boolean fit(Descriptor type, int depth) throws IOException {
        for (int tag = wire.readTag(); tag != 0; tag = wire.readTag()) {
            int wireType = WireFormat.getTagWireType(tag);
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            if (wireType == WireFormat.WIRETYPE_START_GROUP || wireType == WireFormat.WIRETYPE_END_GROUP) {
                throw new InvalidProtocolBufferException("there are no groups in OTLP");
            }
            if (field == null || isPiece(field, wireType)) {
                pieces++;
            }
            if (pieces > MAX_OBJECTS) {
                return false;
            }
            if (field == null || !isMessage(field, wireType)) {
                wire.skipField(tag);
            } else if (!fitInside(field, depth)) {
                return false;
            }
        }
        return true;
    }

    private boolean fitInside(FieldDescriptor field, int depth) throws IOException {
        if (depth == MAX_DEPTH) {
            return false;
        }
        int length = wire.readRawVarint32();
        if (wire.getBytesUntilLimit() >= 0 && length > wire.getBytesUntilLimit()) {
            throw new InvalidProtocolBufferException("a part of the message is longer than the whole");
        }
        int limit = wire.pushLimit(length);
        boolean fits = fit(field.getMessageType(), depth + 1);
        wire.popLimit(limit);
        return fits;
    }

    /**
     * Returns whether a field becomes an object. A field with an unexpected wire type does, because protobuf keeps unknown fields.
     */
    private static boolean isPiece(FieldDescriptor field, int wireType) {
        return field.isRepeated() || field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                || field.getLiteType().getWireType() != wireType;
    }

    private static boolean isMessage(FieldDescriptor field, int wireType) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    }
}
