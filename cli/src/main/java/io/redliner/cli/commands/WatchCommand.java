// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code redliner watch}: a run that was started elsewhere, or was detached from. */
@Command(name = "watch", mixinStandardHelpOptions = true, description = {
    "Watches a run or a series that is under way until its end, and ends with its code, as run PLAN --watch does.",
    "Ctrl-C asks whether to abort the run or to detach from it; without a terminal it detaches."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0, 98, 99, 105, 106:as of run", "1:there is no such run, or it was lost from sight",
        "2:the command line cannot be understood", "130:detached with Ctrl-C; the run goes on"})
final class WatchCommand extends ControllerCommand {

    /** The option that fails a pipeline when a check doubts a capacity. */
    static final class FailOnDoubtOption {

        @Option(names = "--fail-on-doubt", description = "End with 98 when a capacity was found that is doubtful, or when how sure it is cannot be known.")
        private boolean failOnDoubt;

        /** Returns the exit code of a run, given its own. */
        int code(int own, ControllerClient controller, String path) throws IOException, InterruptedException {
            return failOnDoubt && own == 0 && isUnsure(controller.get(path).path("result"))
                    ? ExitCode.INCONCLUSIVE.code()
                    : own;
        }
    }

    private static boolean isUnsure(JsonNode result) {
        return result.isObject() && !result.at("/certainty/level").asString("").equals("SURE");
    }

    @Mixin
    private final RunIdParameter run = new RunIdParameter();

    @Mixin
    private final FailOnDoubtOption doubt = new FailOnDoubtOption();

    @Mixin
    private final ExplainOption explain = new ExplainOption();

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        RunIdParameter.Found<JsonNode> found = run.find(controller);
        JsonNode now = found.view();
        int code = options.follow(controller, found.path(), now, true,
                List.of("Watching " + found.path() + " of " + TerminalSafeText.text(now.path("service"))));
        explain.print(code, controller, found.path(), options);
        return doubt.code(code, controller, found.path());
    }
}
