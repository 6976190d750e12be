// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.recording;

import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thing that an analysis was told. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public sealed interface InputEvent {

    /** What the analysis remembered from before, entry by entry, before it began. */
    record Remembered(String key, byte[] value) implements InputEvent {}

    /**
     * The analysis took up what it remembered.
     *
     * @param patience for which it waited for what had yet to be read
     */
    record Begun(Instant now, Duration patience) implements InputEvent {}

    /** A record of Kafka. On the tape its topic has the default name, whatever the prefix was. */
    record Arrived(Topic topic, @Nullable String key, byte @Nullable [] value, Instant now) implements InputEvent {}

    /** Time went by. */
    record Ticked(Instant now) implements InputEvent {}

    /**
     * Nothing more is on the tape.
     *
     * @param full whether there would have been more
     */
    record Ended(boolean full) implements InputEvent {}

    /** Writes it, the kind first. */
    default void write(DataOutput out) throws IOException {
        switch (this) {
            case Remembered(String key, byte[] value) -> {
                out.writeByte('m');
                bytes(out, key.getBytes(StandardCharsets.UTF_8));
                bytes(out, value);
            }
            case Begun(Instant now, Duration patience) -> {
                out.writeByte('b');
                instant(out, now);
                out.writeLong(patience.toMillis());
            }
            case Arrived(Topic topic, String key, byte[] value, Instant now) -> {
                out.writeByte('r');
                instant(out, now);
                out.writeUTF(TopicNames.DEFAULT.name(topic));
                bytes(out, key == null ? null : key.getBytes(StandardCharsets.UTF_8));
                bytes(out, value);
            }
            case Ticked(Instant now) -> {
                out.writeByte('t');
                instant(out, now);
            }
            case Ended(boolean full) -> {
                out.writeByte('e');
                out.writeBoolean(full);
            }
        }
    }

    /**
     * Reads one.
     *
     * @throws IOException also when it is of no known kind
     */
    static InputEvent read(DataInput in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case 'm' -> new Remembered(requiredText(in), required(bytes(in)));
            case 'b' -> new Begun(instant(in), Duration.ofMillis(in.readLong()));
            case 'r' -> {
                var now = instant(in);
                yield new Arrived(topic(in.readUTF()), text(bytes(in)), bytes(in), now);
            }
            case 't' -> new Ticked(instant(in));
            case 'e' -> new Ended(in.readBoolean());
            default -> throw new IOException("the tape has an entry of the unknown kind " + kind);
        };
    }

    private static Topic topic(String name) throws IOException {
        return TopicNames.DEFAULT.topic(name)
                .orElseThrow(() -> new IOException("the tape has a record of the unknown topic " + name));
    }

    private static void instant(DataOutput out, Instant now) throws IOException {
        out.writeLong(now.getEpochSecond());
        out.writeInt(now.getNano());
    }

    private static Instant instant(DataInput in) throws IOException {
        return Instant.ofEpochSecond(in.readLong(), in.readInt());
    }

    private static void bytes(DataOutput out, byte @Nullable [] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte @Nullable [] bytes(DataInput in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static String requiredText(DataInput in) throws IOException {
        return new String(required(bytes(in)), StandardCharsets.UTF_8);
    }

    private static byte[] required(byte @Nullable [] bytes) throws IOException {
        if (bytes == null) {
            throw new IOException("the tape has an entry without a value");
        }
        return bytes;
    }
}
