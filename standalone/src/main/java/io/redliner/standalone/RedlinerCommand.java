// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.standalone.remote.RefusedException;
import java.io.PrintWriter;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.core.NestedExceptionUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code redliner}. */
@Command(name = "redliner", mixinStandardHelpOptions = true, version = "RedLiner 0.1.0", description = "How many requests per second can one instance take before it breaks its SLA?", subcommands = {
    DemoCommand.class, UpCommand.class, FleetCommand.class, RunCommand.class, WatchCommand.class, ValidateCommand.class,
    StatusCommand.class, AbortCommand.class, PauseCommand.class, ResumeCommand.class, ApproveCommand.class,
    ReportCommand.class, ReplayCommand.class, SizeCommand.class, CompletionCommand.class, ManCommand.class})
public final class RedlinerCommand {

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new RedlinerCommand()).setExecutionExceptionHandler(RedlinerCommand::explain)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** An error that a user can act on is one line; its trace is for the log. */
    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (CommonOptions.hasLog()) {
            LoggerFactory.getLogger(RedlinerCommand.class).error("{} failed", command.getCommandName(), failure);
        }
        PrintWriter err = command.getErr();
        err.println("redliner " + command.getCommandName() + ": " + sentence(failure));
        err.flush();
        if (command.getParseResult().matchedOptionValue("--output",
                RemoteOptions.Output.TEXT) == RemoteOptions.Output.JSON) {
            // Programs get a document in any case.
            command.getOut().println(problem(failure).toPrettyString());
            command.getOut().flush();
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static JsonNode problem(Exception failure) {
        return failure instanceof RefusedException refused
                ? refused.problem()
                : new JsonMapper().createObjectNode().put("type", "about:blank").put("title", "It could not be done")
                        .put("detail", sentence(failure));
    }

    private static String sentence(Throwable failure) {
        if (failure instanceof BeansException) {
            // What Spring wraps around it tells how the rooms are wired, not what the user did.
            return describe(NestedExceptionUtils.getMostSpecificCause(failure));
        }
        StringBuilder text = new StringBuilder(describe(failure));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(describe(cause));
            }
        }
        return text.toString();
    }

    private static String describe(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
