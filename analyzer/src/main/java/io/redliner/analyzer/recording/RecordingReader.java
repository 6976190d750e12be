// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.recording;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link InputRecorder} recorded, in its order. */
public final class RecordingReader implements AutoCloseable {

    private static final int LONGEST_ENTRY = 1 << 26;

    private final Path file;

    private final DataInputStream in;

    private boolean ended;

    private RecordingReader(Path file, DataInputStream in) {
        this.file = file;
        this.in = in;
    }

    /**
     * Begins to read.
     *
     * @throws IOException also when the file is no tape, or one of another version
     */
    public static RecordingReader open(Path file) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
        try {
            byte[] magic = in.readNBytes(InputRecorder.MAGIC.length());
            if (!new String(magic, StandardCharsets.US_ASCII).equals(InputRecorder.MAGIC)) {
                throw new IOException(file + " is not a tape of an analyzer");
            }
            int version = in.readInt();
            if (version != InputRecorder.VERSION) {
                throw new IOException(
                        file + " has version " + version + "; this analyzer reads version " + InputRecorder.VERSION
                                + ": replay it with the one that recorded it");
            }
            return new RecordingReader(file, in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /**
     * The next entry.
     *
     * @return empty after the last one; a recorder that was killed leaves a tape without an {@link InputEvent.Ended}, of which
     *         the entries that are whole are read
     */
    public Optional<InputEvent> next() throws IOException {
        byte[] entry = ended ? null : entry();
        if (entry == null) {
            ended = true;
            return Optional.empty();
        }
        var told = InputEvent.read(new DataInputStream(new ByteArrayInputStream(entry)));
        ended = told instanceof InputEvent.Ended;
        return Optional.of(told);
    }

    /** Null where the file ends. */
    private byte @Nullable [] entry() throws IOException {
        try {
            int length = in.readInt();
            if (length < 1 || length > LONGEST_ENTRY) {
                throw new IOException(file + " is damaged: an entry of " + length + " bytes");
            }
            byte[] entry = new byte[length];
            in.readFully(entry);
            return entry;
        } catch (EOFException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
