// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import io.redliner.cli.watch.RunFormatter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code redliner status}: what is under way, or one run. */
@Command(name = "status", mixinStandardHelpOptions = true, description = {
    "Without RUN: the runs that are under way, and the newest that are over. With it: all that matters of that one."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:shown, however the runs ended", "1:there is no such run, or the controller could not be asked",
        "2:the command line cannot be understood"})
final class StatusCommand extends ControllerCommand {

    private static final int NEWEST = 10;

    /** Runs that are over which the controller lists at once. */
    private static final int MAX_SINCE = 200;

    /** Live runs that are asked for one by one. */
    private static final int MAX_DETAILED = 20;

    @Parameters(paramLabel = "RUN", arity = "0..1", description = RunIdParameter.DESCRIPTION)
    private @Nullable String run;

    @Option(names = "--since", paramLabel = "TIME", description = "Without RUN: all runs that began since then and are over, as 2h, 03:00, 'yesterday 18:00' or"
            + " 2026-12-24.")
    private @Nullable String since;

    @Mixin
    private final ExplainOption explain = new ExplainOption();

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        if (run == null && explain.isGiven()) {
            throw mistake("--explain is about one run: name it, as in status RUN --explain");
        }
        if (run != null && since != null) {
            throw mistake("--since is about all runs: leave RUN out");
        }
        if (run == null) {
            all(controller);
        } else {
            JsonNode view = RunIdParameter.find(run, spec, controller, RunIdPrefix.RUNS_AND_SERIES, controller::get)
                    .view();
            List<String> lines = new ArrayList<>(
                    KillSwitchCommand.lines(controller.killSwitch()));
            lines.addAll(new RunFormatter(ClientOptions.LAYOUT).details(view, options.now(controller)));
            lines.addAll(explain.lines(view));
            options.print(view, lines);
        }
        return 0;
    }

    private void all(ControllerClient controller) throws IOException, InterruptedException {
        List<JsonNode> live = detailed(controller, LiveRuns.runs(controller, null));
        JsonNode page = controller.list("/api/v1/runs?phase=Finished&limit=" + (since == null
                ? NEWEST
                : MAX_SINCE + "&since=" + ClientOptions
                        .encode(options.instant("--since", since, InstantText.Side.PAST).toString())));
        List<JsonNode> finished = page.path("items").valueStream().toList();
        JsonNode killSwitch = controller.killSwitch();
        ObjectNode answer = controller.object();
        answer.putArray("live").addAll(live);
        answer.putArray("finished").addAll(finished);
        answer.set("killSwitch", killSwitch);
        RunFormatter formatter = new RunFormatter(ClientOptions.LAYOUT);
        List<String> lines = new ArrayList<>(KillSwitchCommand.lines(killSwitch));
        lines.add("");
        lines.addAll(formatter.live(live, options.now(controller)));
        lines.add("");
        lines.addAll(formatter.finished(finished));
        if (since != null && page.hasNonNull("nextPageToken")) {
            lines.add("These are the newest " + MAX_SINCE + " since then; there are more.");
        }
        options.print(answer, lines);
    }

    /** Returns the runs with what lists leave out, such as the estimate; as they are beyond a number, and when they have gone. */
    private static List<JsonNode> detailed(ControllerClient controller, List<JsonNode> runs)
            throws IOException, InterruptedException {
        List<JsonNode> detailed = new ArrayList<>(runs);
        for (int at = 0; at < Math.min(MAX_DETAILED, runs.size()); at++) {
            try {
                detailed.set(at, controller.get("/api/v1/runs/" + runs.get(at).path("id").asString("")));
            } catch (RequestRejectedException gone) {
                if (!gone.notFound()) {
                    throw gone;
                }
            }
        }
        return detailed;
    }
}
