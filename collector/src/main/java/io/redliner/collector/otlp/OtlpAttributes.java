// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import java.util.ArrayList;
import java.util.List;

/** Converts attributes to labels. */
final class OtlpAttributes {

    /** No series has more attributes. */
    private static final int MAX_ATTRIBUTES = 64;

    /** The longest list; longer ones do not distinguish series. */
    private static final int MAX_LIST_LENGTH = 16;

    private OtlpAttributes() {}

    static Labels labels(List<KeyValue> attributes) throws PointRejectedException {
        if (attributes.size() > MAX_ATTRIBUTES) {
            throw new PointRejectedException(PointRejectionReason.ATTRIBUTES);
        }
        List<String> namesAndValues = new ArrayList<>(2 * attributes.size());
        for (KeyValue attribute : attributes) {
            if (!attribute.getKey().isEmpty()) {
                namesAndValues.add(attribute.getKey());
                namesAndValues.add(text(attribute.getValue()));
            }
        }
        return Labels.of(namesAndValues);
    }

    /** Returns the value of an attribute, when it is a text; else empty. */
    static String value(List<KeyValue> attributes, String name) {
        for (KeyValue attribute : attributes) {
            if (attribute.getKey().equals(name) && attribute.getValue().hasStringValue()) {
                return attribute.getValue().getStringValue();
            }
        }
        return "";
    }

    private static String text(AnyValue value) throws PointRejectedException {
        if (!value.hasArrayValue()) {
            return scalar(value);
        }
        List<AnyValue> list = value.getArrayValue().getValuesList();
        if (list.size() > MAX_LIST_LENGTH) {
            throw new PointRejectedException(PointRejectionReason.ATTRIBUTES);
        }
        List<String> texts = new ArrayList<>(list.size());
        for (AnyValue one : list) {
            texts.add(scalar(one));
        }
        return String.join(",", texts);
    }

    private static String scalar(AnyValue value) throws PointRejectedException {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
            case INT_VALUE -> Long.toString(value.getIntValue());
            case DOUBLE_VALUE -> Double.toString(value.getDoubleValue());
            case VALUE_NOT_SET -> "";
            case ARRAY_VALUE, KVLIST_VALUE, BYTES_VALUE ->
                throw new PointRejectedException(PointRejectionReason.ATTRIBUTES);
        };
    }
}
