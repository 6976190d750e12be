// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code redliner man}: the manual page. */
@Command(name = "man", mixinStandardHelpOptions = true, description = {
    "Shows the manual page on a terminal, and prints its source elsewhere: redliner man > redliner.1"})
final class ManCommand implements Callable<Integer> {

    @Option(names = "--source", description = "Print the source on a terminal, too.")
    private boolean source;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String page = ManualWriter.of(spec.root());
        if (source || !Boolean.getBoolean("redliner.terminal") || !shows(page)) {
            spec.commandLine().getOut().print(page);
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    /** Shows the page in the system's viewer. Returns false when there is none, or it failed. */
    private static boolean shows(String page) throws IOException, InterruptedException {
        Path file = Files.createTempFile("redliner", ".1");
        try {
            Files.writeString(file, page);
            return new ProcessBuilder("man", "-l", file.toString()).inheritIO().start().waitFor() == 0;
        } catch (IOException noViewer) {
            return false;
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
