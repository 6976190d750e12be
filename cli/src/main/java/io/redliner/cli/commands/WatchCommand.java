// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.TerminalSafeText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code redliner watch}: a run that was started elsewhere, or was detached from. */
@Command(name = "watch", mixinStandardHelpOptions = true, description = {
    "Watches a run or a series that is under way until its end, and ends with its code, as run PLAN --watch does.",
    "Ctrl-C asks whether to abort the run or to detach from it; without a terminal it detaches."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0, 98, 99, 105, 106:as of run", "1:there is no such run, or it was lost from sight",
        "2:the command line cannot be understood", "130:detached with Ctrl-C; the run goes on"})
final class WatchCommand implements Callable<Integer> {

    @Mixin
    private final RunIdParameter run = new RunIdParameter();

    @Mixin
    private final FailOnDoubtOption doubt = new FailOnDoubtOption();

    @Mixin
    private final ClientOptions options = new ClientOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ControllerClient controller = options.connect()) {
            RunIdParameter.Found found = run.find(controller);
            JsonNode now = found.view();
            int code = new RunFollower(options, controller, true).follow(found.path(), now,
                    List.of("Watching " + found.path() + " of " + TerminalSafeText.text(now.path("service"))));
            return doubt.code(code, controller, found.path());
        }
    }
}
