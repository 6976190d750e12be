// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.PlanRejectedException;
import io.redliner.cli.client.TerminalSafeText;
import io.redliner.controller.core.run.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code redliner validate}: checks whether a file is a valid plan. */
@Command(name = "validate", mixinStandardHelpOptions = true, description = "Says whether a file is a plan, or where it is none; starts and keeps nothing.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
    "0:it is", "1:the controller could not be asked", "2:the command line cannot be understood",
    "104:it is none, or cannot work as things are"})
final class ValidateCommand extends ControllerCommand {

    @Mixin
    private final PlanFileParameter plan = new PlanFileParameter();

    /** Returns the controller's notes on a valid plan, a line for each. */
    static List<String> notes(JsonNode valid) {
        List<String> notes = new ArrayList<>();
        valid.path("notes").forEach(note -> notes.add("Note: " + TerminalSafeText.text(note)));
        return notes;
    }

    @Override
    int call(ControllerClient controller) throws IOException, InterruptedException {
        try {
            JsonNode valid = controller.validate(plan.read());
            List<String> lines = new ArrayList<>(
                    List.of("Valid. Hash of what it says: " + TerminalSafeText.text(valid.path("hash"))));
            valid.path("limits").forEach(one -> lines.add(TerminalSafeText.text(one.path("limit")) + ": "
                    + TerminalSafeText.text(one.path("text"))));
            lines.addAll(notes(valid));
            options.print(valid, lines);
            return 0;
        } catch (PlanRejectedException rejected) {
            plan.report(rejected, options);
            return ExitCode.BAD_PLAN.code();
        }
    }
}
