// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code redliner report}: the report of a run, into a file or to the standard output. */
@Command(name = "report", mixinStandardHelpOptions = true, description = "Gets the report of a run, also of one that is under way.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
    "0:it is there", "1:there is none, or it could not be had", "2:the command line cannot be understood"})
final class ReportCommand extends ControllerCommand {

    /** Formats of a report, under the names of the API. */
    enum Format {
        /** A single HTML file. */
        HTML,
        /** A document for programs. */
        JSON,
        /** A document for CI: a case per rule, guard and promise. */
        JUNIT,
        /** A row per window. */
        CSV;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin
    private final RunIdParameter run = new RunIdParameter();

    @Option(names = "--format", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES} (default: what the file's name ends with,"
            + " else json).")
    private @Nullable Format format;

    @Option(names = "--out", paramLabel = "FILE", description = "Write it there; a file that is there already is replaced by a"
            + " whole report or not at all, where its folder allows that; a device, a pipe or a link is written through"
            + "; - is the standard output (default).")
    private @Nullable Path file;

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        if (file == null || file.equals(OutputFile.STANDARD_OUTPUT)) {
            options.out().print(new String(report(controller), StandardCharsets.UTF_8));
            options.out().flush();
        } else {
            write(controller, file);
        }
        return 0;
    }

    private Format wanted() {
        if (format != null) {
            return format;
        }
        String name = file == null ? "" : file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".html") || name.endsWith(".htm")) {
            return Format.HTML;
        }
        if (name.endsWith(".xml")) {
            return Format.JUNIT;
        }
        return name.endsWith(".csv") ? Format.CSV : Format.JSON;
    }

    private byte[] report(ControllerClient controller) throws IOException, InterruptedException {
        return run.find(controller, RunIdPrefix.RUNS_ALONE,
                path -> controller.download(path + "/report?format=" + wanted())).view();
    }

    private void write(ControllerClient controller, Path target) throws IOException, InterruptedException {
        try (OutputFile output = new OutputFile(target)) {
            byte[] report = report(controller);
            output.write(report);
            options.note("Wrote " + target.toAbsolutePath() + " (" + report.length + " bytes)");
        }
    }
}
