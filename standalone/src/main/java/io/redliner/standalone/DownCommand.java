// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.standalone.stack.DataFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code redliner down}: ends what {@code redliner up} started, also what is left of one that was killed. */
@Command(name = "down", mixinStandardHelpOptions = true, description = {
    "Ends redliner up of this machine: restores the traffic, stops the proxy and the database, keeps the data.",
    "Also ends what is left of one that was killed. The listen addresses of the services then answer no more."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:nothing of it runs any more", "1:something may still run", "2:the command line cannot be understood"})
final class DownCommand implements Callable<Integer> {

    /** A run is ended and its traffic restored before the process ends. */
    private static final long TIMEOUT_SECONDS = 60;

    @Option(names = "--data", paramLabel = "FOLDER", description = "The data folder of up (default: redliner/up in $XDG_DATA_HOME or ~/.local/share).")
    private @Nullable Path data;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = StandaloneOptions.folder(data, "up").toAbsolutePath().normalize();
        PrintWriter out = spec.commandLine().getOut();
        if (!DataFolder.isUsed(folder)) {
            out.println("Nothing to end: no RedLiner has used " + folder
                    + (data == null ? "; name another folder with --data" : ""));
            return 0;
        }
        Optional<ProcessHandle> holder = DataFolder.holder(folder);
        if (holder.isPresent()) {
            out.println("Ending RedLiner, process " + holder.get().pid() + ", the traffic first ...");
            out.flush();
            end(holder.get(), folder);
        }
        try (DataFolder held = DataFolder.holdToEnd(folder)) {
            StandaloneOptions.logTo(held);
            held.endLeftovers();
        }
        out.println((holder.isPresent() ? "Ended." : "It did not run; what was left of it is ended.")
                + " The data is kept in " + folder);
        return 0;
    }

    private static void end(ProcessHandle process, Path folder) throws IOException, InterruptedException {
        try {
            if (!process.destroy()) {
                throw new IOException(
                        "process " + process.pid() + " could not be asked to end: it may be another user's");
            }
            process.onExit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            throw new IOException("process " + process.pid() + " has not ended within " + TIMEOUT_SECONDS
                    + " s: look at the log in " + folder, failure);
        }
    }
}
