// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.PlanRejectedException;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code redliner run}: a run or a series of runs on a controller, from its start to its end. */
@Command(name = "run", mixinStandardHelpOptions = true, description = {
    "Starts a run of a plan on a controller, waits for its end, and ends with the code that tells how it was.",
    "Ctrl-C asks whether to abort the run or to detach from it; without a terminal it detaches."}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:capacity found, or the SLA held; with --detach, the run was started",
        "1:it could not be started, or was lost from sight",
        "2:the command line cannot be understood",
        "98:inconclusive, or the run itself failed (outcome FAILED); with --fail-on-doubt, also a capacity that is less than sure",
        "99:a threshold failed, a guard was broken, or the new version is worse",
        "104:the plan cannot be read or carried out",
        "105:aborted from outside",
        "106:as 0, and more was harmed than allowed, or it is not known that traffic is natural again",
        "130:detached with Ctrl-C; the run goes on"})
final class RunPlanCommand extends ControllerCommand {

    @Mixin
    private final PlanFileParameter plan = new PlanFileParameter();

    @Option(names = "--watch", description = "Show each window as it comes: a live picture on a terminal, a line for each change elsewhere,"
            + " a line of JSON for each decision with --output json.")
    private boolean watch;

    @Mixin
    private final WatchCommand.FailOnDoubtOption doubt = new WatchCommand.FailOnDoubtOption();

    @Option(names = "--detach", description = "Start it, and do not wait.")
    private boolean detach;

    @Mixin
    private final ExplainOption explain = new ExplainOption();

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        if (detach && explain.isGiven()) {
            throw mistake("--explain waits for the end of the run: leave --detach out,"
                    + " or ask later with status RUN --explain");
        }
        try {
            String text = plan.read();
            options.tell(ValidateCommand.notes(controller.validate(text)));
            ControllerClient.Started started = controller.start(text);
            List<String> lines = new ArrayList<>(List.of("Started " + controller.page(started.path()),
                    "End it: redliner abort " + started.id() + " --reason TEXT"));
            if (detach) {
                lines.add("Watch it: redliner watch " + started.id());
                options.print(started.body(), lines);
                return 0;
            }
            int code = options.follow(controller, started.path(), started.body(), watch, lines);
            explain.print(code, controller, started.path(), options);
            return doubt.code(code, controller, started.path());
        } catch (PlanRejectedException rejected) {
            plan.report(rejected, options);
            return ExitCode.BAD_PLAN.code();
        }
    }
}
