// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system of its own, small enough to be filled. */
public final class SmallDisk implements AutoCloseable {

    private final Path folder;

    private final Path ballast;

    private SmallDisk(Path folder) {
        this.folder = folder;
        this.ballast = folder.resolve("ballast");
    }

    /** Empty where this process may not mount one. */
    public static Optional<SmallDisk> mount(int mebibytes) {
        Path folder = TemporaryFolder.create("small-disk");
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        return mounted ? Optional.of(new SmallDisk(folder)) : Optional.empty();
    }

    public Path folder() {
        return folder;
    }

    /** Takes all the space that is left. */
    public void fill() {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(ballast)) {
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
        if (!run("umount", folder.toString())) {
            throw new AssertionError("cannot unmount " + folder);
        }
    }

    private static boolean run(String... command) {
        try {
            return new ProcessBuilder(List.of(command)).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
