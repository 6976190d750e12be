// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.recording;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records what one analysis is told. What cannot be written is told once and ends the tape; the analysis never notices.
 * For one thread.
 *
 * <p>The file: eight bytes {@value #MAGIC}, the version as an int, then entries, each an int with its length and as many
 * bytes. Numbers are big-endian.
 */
public final class InputRecorder implements AutoCloseable {

    static final String MAGIC = "RDLNTAPE";

    static final int VERSION = 1;

    private static final int BUFFER_BYTES = 1 << 16;

    /** Of the mark at the end. */
    private static final int END_BYTES = 6;

    private final Consumer<IOException> failure;

    private final ByteArrayOutputStream entry = new ByteArrayOutputStream();

    private @Nullable DataOutputStream out;

    private long left;

    /** Whoever is killed leaves all but the last second. */
    private long flushedSecond;

    private InputRecorder(@Nullable DataOutputStream out, long left, Consumer<IOException> failure) {
        this.out = out;
        this.left = left;
        this.failure = failure;
    }

    /** That records nothing. */
    public static InputRecorder none() {
        return new InputRecorder(null, 0, unused -> {});
    }

    /**
     * In a file of its own.
     *
     * @param name of the file, without its ending; where there is one already, a number is added
     * @param mostBytes that the file may have; the analysis goes on when it is full, the tape does not
     * @param failure is told, at most once, when the tape cannot be written
     */
    public static InputRecorder begin(Path folder, String name, long mostBytes, Consumer<IOException> failure) {
        try {
            Files.createDirectories(folder);
            var out = new DataOutputStream(new BufferedOutputStream(create(folder, name), BUFFER_BYTES));
            out.writeBytes(MAGIC);
            out.writeInt(VERSION);
            return new InputRecorder(out, mostBytes - out.size() - END_BYTES, failure);
        } catch (IOException e) {
            failure.accept(e);
            return none();
        }
    }

    /** Adds something, unless the tape has ended. */
    public void write(InputEvent told) {
        var target = out;
        if (target == null) {
            return;
        }
        try {
            byte[] bytes = bytes(told);
            if (left < bytes.length + Integer.BYTES) {
                end(target, true);
                return;
            }
            left -= bytes.length + Integer.BYTES;
            target.writeInt(bytes.length);
            target.write(bytes);
            if (told instanceof InputEvent.Ticked(Instant now) && now.getEpochSecond() != flushedSecond) {
                flushedSecond = now.getEpochSecond();
                target.flush();
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void close() {
        var target = out;
        if (target == null) {
            return;
        }
        try {
            end(target, false);
        } catch (IOException e) {
            failed(e);
        }
    }

    private void end(DataOutputStream target, boolean full) throws IOException {
        out = null;
        try (target) {
            byte[] bytes = bytes(new InputEvent.Ended(full));
            target.writeInt(bytes.length);
            target.write(bytes);
        }
    }

    private void failed(IOException cause) {
        var broken = out;
        out = null;
        try (broken) {
            failure.accept(cause);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private byte[] bytes(InputEvent told) {
        entry.reset();
        try {
            told.write(new DataOutputStream(entry));
        } catch (IOException e) {
            throw new UncheckedIOException("into memory", e);
        }
        return entry.toByteArray();
    }

    /** One from before a restart is kept. */
    private static OutputStream create(Path folder, String name) throws IOException {
        int number = 1;
        var file = folder.resolve(name + ".tape");
        while (Files.exists(file)) {
            number++;
            file = folder.resolve(name + "-" + number + ".tape");
        }
        return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
    }
}
