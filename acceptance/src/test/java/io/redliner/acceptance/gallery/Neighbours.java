// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import io.redliner.acceptance.LiveStack;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Other programs on the machine of a test. */
enum Neighbours {

    /** Nothing. */
    NONE,
    /** Two processes that always compute. */
    LOOPS,
    /** Eight compilers one after the other, and a second RedLiner that comes and goes. */
    COMPILERS;

    /** They end by themselves after so many seconds, whatever becomes of the test. */
    private static final String LONGEST = "900";

    private static final String ALWAYS = "while :; do :; done";

    /** Compiles a folder again and again. */
    private static final String COMPILE = "while :; do \"$1\" -proc:none -d \"$2\" -cp \"$3\" \"$4\"/*.java > /dev/null 2>&1; done";

    /** Starts them until they are closed. */
    AutoCloseable come(Path folder) throws IOException {
        Deque<Closeable> here = new ArrayDeque<>();
        switch (this) {
            case NONE -> {
            }
            case LOOPS -> {
                here.push(shell(ALWAYS));
                here.push(shell(ALWAYS));
            }
            case COMPILERS -> {
                for (int compiler = 0; compiler < 8; compiler++) {
                    here.push(shell(COMPILE, Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                            folder.resolve("compiled-" + compiler).toString(), System.getProperty("java.class.path"),
                            Path.of("src/test/java/io/redliner/acceptance").toAbsolutePath().toString()));
                }
                here.push(comesAndGoes());
            }
        }
        return () -> {
            for (Closeable each : here) {
                each.close();
            }
        };
    }

    private static Closeable shell(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("timeout", LONGEST, "sh", "-c", script, "neighbour"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        return () -> {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        };
    }

    private static Closeable comesAndGoes() {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> starts = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                try {
                    new LiveStack(Map.of()).close();
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            }
        });
        return () -> {
            over.set(true);
            starts.join();
        };
    }
}
