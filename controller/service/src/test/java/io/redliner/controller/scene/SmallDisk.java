// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A file system of its own, small enough to be filled. It never outlives its test, nor the process. */
public final class SmallDisk implements AutoCloseable {

    private final Path folder;

    private final Path ballast;

    private volatile boolean mounted = true;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.ballast = folder.resolve("ballast");
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::detach));
    }

    /** Where this process may not mount one, the test is skipped, and says why. */
    public static SmallDisk mount(int mebibytes) {
        Path folder = TemporaryFolder.create("small-disk");
        Ended mount = run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        assumeThat(mount.status()).as("this process may mount a file system: %s", mount.said()).isZero();
        return new SmallDisk(folder);
    }

    public Path folder() {
        return folder;
    }

    /** Takes all the space that is left, to the last byte. */
    public void fill() {
        try (OutputStream out = Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            if (!Files.exists(ballast)) {
                throw new UncheckedIOException(full);
            }
        }
    }

    public void makeRoom() {
        try {
            Files.deleteIfExists(ballast);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            Awaitility.await().until(() -> run("umount", folder.toString()).status() == 0);
            mounted = false;
        } catch (ConditionTimeoutException busy) {
            detach();
            throw new AssertionError("somebody still uses " + folder, busy);
        }
    }

    /** It goes when the last one lets go of it. */
    private void detach() {
        if (mounted) {
            mounted = run("umount", "-l", folder.toString()).status() != 0;
        }
    }

    private record Ended(int status, String said) {}

    private static Ended run(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return new Ended(process.waitFor(), said);
        } catch (IOException missing) {
            return new Ended(-1, missing.toString());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
