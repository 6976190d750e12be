// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.cli.watch.NumberFormatter;
import io.redliner.cli.watch.RunDetails;
import io.redliner.cli.watch.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    private static final List<String> LIVE = List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming",
            "Paused", "Restoring");

    private static final int NEWEST = 10;

    private static final String KILL_SWITCH = "/api/v1/kill-switch";

    @Parameters(paramLabel = "RUN", arity = "0..1", description = "The id of a run or of a series.")
    private @Nullable String run;

    @Mixin
    private final ClientOptions options = new ClientOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ControllerClient controller = options.connect()) {
            if (run == null) {
                all(controller);
            } else {
                JsonNode view = RunIdParameter.find(controller, RunIdParameter.require(run, spec)).view();
                List<String> lines = new ArrayList<>(killSwitch(controller.get(KILL_SWITCH)));
                lines.addAll(RunDetails.of(view));
                options.print(view, lines);
            }
            return 0;
        }
    }

    private void all(ControllerClient controller) throws IOException, InterruptedException {
        ObjectNode answer = controller.object();
        ArrayNode live = answer.putArray("live");
        for (String phase : LIVE) {
            for (JsonNode brief : controller.get("/api/v1/runs?limit=200&phase=" + phase).path("items")) {
                live.add(brief);
            }
        }
        ArrayNode newest = answer.putArray("finished");
        for (JsonNode brief : controller.get("/api/v1/runs?phase=Finished&limit=" + NEWEST).path("items")) {
            newest.add(brief);
        }
        JsonNode killSwitch = controller.get(KILL_SWITCH);
        answer.set("killSwitch", killSwitch);
        List<String> lines = new ArrayList<>(killSwitch(killSwitch));
        lines.addAll(live(live));
        lines.add("");
        lines.addAll(finished(newest));
        options.print(answer, lines);
    }

    /** Says that the switch is engaged, and what became of the traffic; nothing while it is not. */
    private static List<String> killSwitch(JsonNode killSwitch) {
        return killSwitch.path("engaged").asBoolean()
                ? List.of(
                        "THE KILL SWITCH IS ENGAGED since " + TerminalSafeText.text(killSwitch.path("at")) + " by "
                                + TerminalSafeText.text(killSwitch.path("actor")) + ": "
                                + TerminalSafeText.text(killSwitch.path("reason"))
                                + ". Nothing begins until it is released.",
                        TerminalSafeText.text(killSwitch.at("/traffic/words")), "")
                : List.of();
    }

    private static List<String> live(ArrayNode runs) {
        TextTable table = new TextTable("LIVE RUN", "SERVICE", "SUT", "PROFILE", "PHASE", "SHARE", "HARM OF BUDGET",
                "SUBMITTED");
        for (JsonNode view : runs) {
            table.row(TerminalSafeText.text(view.path("id")), TerminalSafeText.text(view.path("service")),
                    TerminalSafeText.text(view.path("sut")),
                    TerminalSafeText.text(view.path("profile")), phase(view),
                    NumberFormatter.percent(TerminalSafeText.number(view.path("askedShare"))),
                    NumberFormatter.percent(TerminalSafeText.number(view.at("/harm/used"))),
                    TerminalSafeText.text(view.path("submittedAt")));
        }
        return table.isEmpty() ? List.of("No run is under way.") : table.lines();
    }

    /** Adds to the phase of a paused run when its limit ends it. */
    private static String phase(JsonNode view) {
        String phase = TerminalSafeText.text(view.path("phase"));
        return phase.equals("Paused") && view.hasNonNull("limit")
                ? phase + ", ends " + TerminalSafeText.text(view.at("/limit/at"))
                : phase;
    }

    private static List<String> finished(ArrayNode runs) {
        TextTable table = new TextTable("FINISHED RUN", "SERVICE", "SUT", "PROFILE", "OUTCOME", "CAPACITY", "CODE",
                "FINISHED");
        for (JsonNode view : runs) {
            Double capacity = TerminalSafeText.number(view.at("/result/capacity"));
            table.row(TerminalSafeText.text(view.path("id")), TerminalSafeText.text(view.path("service")),
                    TerminalSafeText.text(view.path("sut")),
                    TerminalSafeText.text(view.path("profile")), TerminalSafeText.text(view.path("outcome")),
                    capacity == null
                            ? "-"
                            : NumberFormatter.count(capacity) + " requests/s"
                                    + (view.at("/result/doubts").isEmpty() ? "" : ", doubtful"),
                    view.path("exitCode").isInt() ? Integer.toString(view.path("exitCode").asInt()) : "-",
                    TerminalSafeText.text(view.path("finishedAt")));
        }
        return table.isEmpty() ? List.of("No run is over.") : table.lines();
    }
}
