// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.PlanRejectedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The plan that a command is about. */
final class PlanFileParameter {

    private static final String STANDARD_INPUT = "-";

    @Parameters(paramLabel = "PLAN", description = "A file with a plan in YAML or JSON; - is the standard input.")
    private String file = "";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    String read() throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Path path = Path.of(file);
        if (!Files.isRegularFile(path)) {
            throw new ParameterException(spec.commandLine(), "There is no plan file " + path.toAbsolutePath());
        }
        return Files.readString(path);
    }

    /** Says what is wrong with it, each mistake at its place. */
    void report(PlanRejectedException bad, ClientOptions options) {
        bad.mistakes().forEach(mistake -> options.err().println(file + mistake));
        options.err().flush();
        if (options.isJson()) {
            options.print(bad.problem(), List.of());
        }
    }
}
