// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.controller.run.ExitCode;
import io.redliner.standalone.remote.Controller;
import io.redliner.standalone.remote.RemoteRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code redliner run}: a run or a series of runs on a controller, from its start to its end. */
@Command(name = "run", mixinStandardHelpOptions = true, description = {
    "Starts a run of a plan on a controller, waits for its end, and ends with the code that tells how it was.",
    "Exit codes: 0 capacity found or SLA held, 98 inconclusive, 99 threshold failed or worse,",
    "104 bad plan, 105 aborted from outside, 1 it could not be started or was lost from sight."})
final class RunCommand implements Callable<Integer> {

    @Parameters(paramLabel = "PLAN", description = "A file with a plan in YAML or JSON.")
    private Path plan = Path.of("");

    @Option(names = "--url", paramLabel = "URL", defaultValue = "http://127.0.0.1:8080", description = "The controller (default: ${DEFAULT-VALUE}).")
    private URI url = URI.create("http://127.0.0.1:8080");

    @Option(names = "--token", paramLabel = "TOKEN", defaultValue = "${env:REDLINER_TOKEN}", description = "An API token (default: $REDLINER_TOKEN).")
    private @Nullable String token;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Files.isRegularFile(plan)) {
            throw new ParameterException(spec.commandLine(), "There is no plan file " + plan.toAbsolutePath());
        }
        String text = Files.readString(plan);
        PrintWriter out = spec.commandLine().getOut();
        try (Controller controller = new Controller(url, token)) {
            controller.validate(text);
            return new RemoteRun(controller, out).follow(controller.start(text));
        } catch (Controller.BadPlanException bad) {
            PrintWriter err = spec.commandLine().getErr();
            bad.mistakes().forEach(mistake -> err.println(plan + mistake));
            err.flush();
            return ExitCode.BAD_PLAN.code();
        }
    }
}
