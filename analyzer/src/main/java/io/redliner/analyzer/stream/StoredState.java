// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.v1.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is stored of a service after a window: where its analysis is, and the verdicts that may not have been published
 * yet. One record, so that neither is there without the other:
 *
 * <pre>
 * version: int | verdicts: int, each as length: int and the bytes | state: length: int and the bytes
 * </pre>
 *
 * @param unconfirmed oldest first
 * @param state as {@link StateCodec} writes it
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared: it is taken apart where it was put together.
record StoredState(List<Said> unconfirmed, byte[] state) {

    /** To be raised with every change that an older analyzer would misunderstand, see {@link StateUpgrade}. */
    static final int VERSION = 3;

    private static final int MOST_VERDICTS = 1_000;

    StoredState {
        unconfirmed = List.copyOf(unconfirmed);
    }

    byte[] toBytes() {
        var bytes = new ByteArrayOutputStream(state.length + 1_024);
        try (var out = new DataOutputStream(bytes)) {
            out.writeInt(VERSION);
            out.writeInt(unconfirmed.size());
            for (var said : unconfirmed) {
                write(said.value(), out);
            }
            write(state, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static StoredState of(byte[] bytes) throws UnreadableStateException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readInt();
            if (version < StateUpgrade.OLDEST_VERSION || version > VERSION) {
                throw new UnreadableStateException("it has version " + version + ", and this analyzer reads versions "
                        + StateUpgrade.OLDEST_VERSION + " to " + VERSION);
            }
            int count = in.readInt();
            if (count < 0 || count > MOST_VERDICTS) {
                throw new UnreadableStateException("it claims to hold " + count + " verdicts");
            }
            var unconfirmed = new ArrayList<Said>();
            for (int i = 0; i < count; i++) {
                unconfirmed.add(new Said(Verdict.parseFrom(read(in))));
            }
            return new StoredState(unconfirmed, StateUpgrade.upgraded(version, read(in)));
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableStateException("a verdict in it is not one", e);
        } catch (IOException e) {
            throw new UnreadableStateException("it ends too early", e);
        }
    }

    private static void write(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException, UnreadableStateException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new UnreadableStateException("it lacks bytes");
        }
        return in.readNBytes(length);
    }
}
