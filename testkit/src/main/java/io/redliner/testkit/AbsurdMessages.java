// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Random;

/**
 * Turns a message that makes sense into one that is well-formed and absurd: numbers at the ends of their ranges, texts of any
 * length and content, unknown enum values, missing fields and long lists. The same seed gives the same message.
 */
public final class AbsurdMessages {

    private static final List<Long> INTEGERS = List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L, 0L, 1L, 2L, 1_000L,
            1_000_000L, (long) Integer.MAX_VALUE, 1L << 53, 253_402_300_800_000L, 9_000_000_000_000_000L,
            Long.MAX_VALUE - 1, Long.MAX_VALUE);

    private static final List<Double> NUMBERS = List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
            -0.0, 0.0, Double.MIN_VALUE, -Double.MAX_VALUE, Double.MAX_VALUE, 1e12, -1.0, 0.5, 100.0);

    private static final List<String> TEXTS = List.of("", " ", "\u0000", "\u202Ekcolc", "a\nb\tc", "\uD83D\uDD25",
            "cart",
            "cart/sut/10.0.0.7:80", "10.0.0.7:80", "x".repeat(5_000), "latency", "-1", "null", "..", "{}");

    private static final double[] RATES = {0.02, 0.1, 0.4, 1};

    private static final int LONG_LIST = 300;

    private final Random random;

    private AbsurdMessages(Random random) {
        this.random = random;
    }

    /**
     * Returns an absurd message.
     *
     * @param sensible message of the same type that makes sense
     * @param seed chooses which fields are absurd, and how
     */
    @SuppressWarnings("unchecked")
    public static <M extends Message> M of(M sensible, long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        return (M) new AbsurdMessages(random).message(sensible, RATES[random.nextInt(RATES.length)], 0);
    }

    private Message message(Message message, double rate, int depth) {
        Message.Builder builder = message.toBuilder();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (random.nextDouble() < rate) {
                replace(builder, field, rate, depth);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                keep(builder, field, rate, depth);
            }
        }
        return builder.build();
    }

    private void replace(Message.Builder builder, FieldDescriptor field, double rate, int depth) {
        builder.clearField(field);
        if (random.nextInt(4) == 0) {
            return;
        }
        if (!field.isRepeated()) {
            builder.setField(field, value(builder, field, rate, depth));
            return;
        }
        int size = depth < 2 && random.nextInt(20) == 0 ? LONG_LIST : random.nextInt(4);
        for (int item = 0; item < size; item++) {
            builder.addRepeatedField(field, value(builder, field, rate, depth));
        }
    }

    /** Keeps the message in the field, and makes parts of it absurd. */
    private void keep(Message.Builder builder, FieldDescriptor field, double rate, int depth) {
        if (field.isRepeated()) {
            for (int item = 0; item < builder.getRepeatedFieldCount(field); item++) {
                builder.setRepeatedField(field, item,
                        message((Message) builder.getRepeatedField(field, item), rate, depth + 1));
            }
        } else if (builder.hasField(field)) {
            builder.setField(field, message((Message) builder.getField(field), rate, depth + 1));
        }
    }

    private Object value(Message.Builder builder, FieldDescriptor field, double rate, int depth) {
        return switch (field.getJavaType()) {
            case LONG -> integer();
            case INT -> (int) integer();
            case DOUBLE -> NUMBERS.get(random.nextInt(NUMBERS.size()));
            case FLOAT -> NUMBERS.get(random.nextInt(NUMBERS.size())).floatValue();
            case BOOLEAN -> random.nextBoolean();
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case BYTE_STRING -> ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
            case ENUM -> enumValue(field);
            case MESSAGE -> message(builder.newBuilderForField(field).build(), depth > 3 ? 0 : Math.max(rate, 0.4),
                    depth + 1);
        };
    }

    private long integer() {
        return random.nextBoolean() ? INTEGERS.get(random.nextInt(INTEGERS.size())) : random.nextLong();
    }

    private EnumValueDescriptor enumValue(FieldDescriptor field) {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        return random.nextInt(4) == 0
                ? field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(1_000))
                : values.get(random.nextInt(values.size()));
    }
}
