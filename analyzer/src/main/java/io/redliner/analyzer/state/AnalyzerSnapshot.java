// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.state;

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
 * The stored state of a service after a window: its analysis, and the verdicts that may not have been published yet. One record
 * holds both, so that neither is stored without the other:
 *
 * <pre>
 * version: int | number: long | verdicts: int, each as length: int and the bytes | content: length: int and the bytes
 * </pre>
 *
 * @param number number of the snapshot; the stored {@code WindowProgress} records after it repeat this number
 * @param unconfirmed verdicts that may not have been published yet, oldest first
 * @param content as {@link SnapshotCodec} writes it
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record AnalyzerSnapshot(long number, List<Verdict> unconfirmed, byte[] content) {

    /**
     * Version of the format. It rises with every change that an older analyzer would misunderstand. From a released version on,
     * {@link #of} then converts older content, so that live runs survive an upgrade.
     */
    public static final int VERSION = 13;

    /** The first version that can be read: no release wrote an earlier one. */
    public static final int OLDEST_VERSION = 13;

    private static final int MAX_VERDICTS = 1_000;

    public AnalyzerSnapshot {
        unconfirmed = List.copyOf(unconfirmed);
    }

    byte[] toBytes() {
        var bytes = new ByteArrayOutputStream(content.length + 1_024);
        try (var out = new DataOutputStream(bytes)) {
            out.writeInt(VERSION);
            out.writeLong(number);
            out.writeInt(unconfirmed.size());
            for (var verdict : unconfirmed) {
                write(verdict.toByteArray(), out);
            }
            write(content, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static AnalyzerSnapshot of(byte[] bytes) throws UnusableSnapshotException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readInt();
            if (version < OLDEST_VERSION || version > VERSION) {
                throw new UnusableSnapshotException("it has version " + version + ", and this analyzer reads versions "
                        + OLDEST_VERSION + " to " + VERSION);
            }
            long number = in.readLong();
            int count = in.readInt();
            if (count < 0 || count > MAX_VERDICTS) {
                throw new UnusableSnapshotException("it claims to hold " + count + " verdicts");
            }
            var unconfirmed = new ArrayList<Verdict>();
            for (int i = 0; i < count; i++) {
                unconfirmed.add(Verdict.parseFrom(read(in)));
            }
            return new AnalyzerSnapshot(number, unconfirmed, read(in));
        } catch (InvalidProtocolBufferException e) {
            throw new UnusableSnapshotException("a verdict in it is not one", e);
        } catch (IOException e) {
            throw new UnusableSnapshotException("it ends too early", e);
        }
    }

    private static void write(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException, UnusableSnapshotException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new UnusableSnapshotException("it lacks bytes");
        }
        return in.readNBytes(length);
    }
}
