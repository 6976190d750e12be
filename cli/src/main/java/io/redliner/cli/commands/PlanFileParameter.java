// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.PlanRejectedException;
import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** The plan that a command is about. */
final class PlanFileParameter {

    private static final String STANDARD_INPUT = "-";

    /** The largest plan file in bytes, far above what a controller accepts. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    @Parameters(paramLabel = "PLAN", description = "A file with a plan in YAML or JSON, also a pipe; - is the standard input.")
    private String file = "";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /**
     * Reads the file, whatever kind of file it is.
     *
     * @throws PlanRejectedException when it is not UTF-8, or too long for a plan
     */
    String read() throws IOException, PlanRejectedException {
        return read(file, "plan", spec.commandLine());
    }

    /**
     * Reads a file of a kind, such as {@code plan}.
     *
     * @param file a path; - is the standard input
     * @throws PlanRejectedException when it is not UTF-8, or too long
     */
    static String read(String file, String kind, CommandLine command) throws IOException, PlanRejectedException {
        byte[] text = bytes(file, kind, command);
        if (text.length > MAX_BYTES) {
            throw PlanRejectedException.because("is longer than " + MAX_BYTES / 1024 + " KiB");
        }
        try {
            return Utf8.decodeFile(text);
        } catch (NotUtf8Exception garbled) {
            throw PlanRejectedException.because(garbled.getMessage());
        }
    }

    private static byte[] bytes(String file, String kind, CommandLine command) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            if (isInputClosed()) {
                throw new ParameterException(command,
                        "The standard input is closed, so there is no " + kind + " in it");
            }
            return System.in.readNBytes(MAX_BYTES + 1);
        }
        Path path = Path.of(file);
        if (Files.notExists(path) || Files.isDirectory(path)) {
            throw new ParameterException(command, Files.isDirectory(path)
                    ? path.toAbsolutePath() + " is a folder, not a " + kind + " file"
                    : "There is no " + kind + " file " + path.toAbsolutePath());
        }
        try (InputStream content = Files.newInputStream(path)) {
            return content.readNBytes(MAX_BYTES + 1);
        }
    }

    /** Finds the Java runtime's own files where the standard input should be: it got the first descriptor that was free. */
    private static boolean isInputClosed() {
        try {
            return Path.of("/proc/self/fd/0").toRealPath()
                    .startsWith(Path.of(System.getProperty("java.home")).toRealPath());
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Prints the mistakes of the plan, each with its place. */
    void report(PlanRejectedException rejected, ClientOptions options) {
        rejected.mistakes().forEach(mistake -> options.note(file + mistake));
        if (options.isJson()) {
            options.print(rejected.problem(), List.of());
        }
    }
}
