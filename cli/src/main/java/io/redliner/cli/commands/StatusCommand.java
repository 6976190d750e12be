// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.watch.RunFormatter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner status}: what is under way, or one run. */
@Command(name = "status", mixinStandardHelpOptions = true, description = {
    "Without RUN: the runs that are under way, and the newest that are over. With it: all that matters of that one."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:shown, however the runs ended", "1:there is no such run, or the controller could not be asked",
        "2:the command line cannot be understood"})
final class StatusCommand implements Callable<Integer> {

    private static final int NEWEST = 10;

    @Parameters(paramLabel = "RUN", arity = "0..1", description = RunIdParameter.DESCRIPTION)
    private @Nullable String run;

    @Mixin
    private final ExplainOption explain = new ExplainOption();

    @Mixin
    private final ClientOptions options = new ClientOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (run == null && explain.isGiven()) {
            throw new ParameterException(spec.commandLine(),
                    "--explain is about one run: name it, as in status RUN --explain");
        }
        try (ControllerClient controller = options.connect()) {
            if (run == null) {
                all(controller);
            } else {
                JsonNode view = RunIdParameter.find(run, spec, controller, RunIdPrefix.RUNS_AND_SERIES, controller::get)
                        .view();
                List<String> lines = new ArrayList<>(
                        KillSwitchCommand.lines(controller.get(ControllerClient.KILL_SWITCH)));
                lines.addAll(RunFormatter.details(view));
                lines.addAll(explain.lines(view));
                options.print(view, lines);
            }
            return 0;
        }
    }

    private void all(ControllerClient controller) throws IOException, InterruptedException {
        ObjectNode answer = controller.object();
        ArrayNode live = answer.putArray("live");
        LiveRuns.runs(controller, null).forEach(live::add);
        ArrayNode newest = answer.putArray("finished");
        controller.get("/api/v1/runs?phase=Finished&limit=" + NEWEST).path("items").forEach(newest::add);
        JsonNode killSwitch = controller.get(ControllerClient.KILL_SWITCH);
        answer.set("killSwitch", killSwitch);
        List<String> lines = new ArrayList<>(KillSwitchCommand.lines(killSwitch));
        lines.add("");
        lines.addAll(RunFormatter.live(live));
        lines.add("");
        lines.addAll(RunFormatter.finished(newest));
        options.print(answer, lines);
    }
}
