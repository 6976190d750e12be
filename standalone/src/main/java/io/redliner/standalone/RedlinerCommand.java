// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.standalone.remote.RefusedException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.core.NestedExceptionUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code redliner}. */
@Command(name = "redliner", mixinStandardHelpOptions = true, version = "RedLiner 0.1.0", description = "How many requests per second can one instance take before it breaks its SLA?")
public final class RedlinerCommand {

    /** In the order of the help. */
    private static final Map<String, Class<?>> VERBS = new LinkedHashMap<>();

    static {
        VERBS.put("demo", DemoCommand.class);
        VERBS.put("up", UpCommand.class);
        VERBS.put("fleet", FleetCommand.class);
        VERBS.put("run", RunCommand.class);
        VERBS.put("watch", WatchCommand.class);
        VERBS.put("validate", ValidateCommand.class);
        VERBS.put("status", StatusCommand.class);
        VERBS.put("abort", AbortCommand.class);
        VERBS.put("pause", PauseCommand.class);
        VERBS.put("resume", ResumeCommand.class);
        VERBS.put("approve", ApproveCommand.class);
        VERBS.put("report", ReportCommand.class);
        VERBS.put("replay", ReplayCommand.class);
        VERBS.put("size", SizeCommand.class);
        VERBS.put("completion", CompletionCommand.class);
        VERBS.put("man", ManCommand.class);
    }

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine(arguments).execute(arguments));
    }

    /** With every verb. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new RedlinerCommand());
        VERBS.forEach(line::addSubcommand);
        return configured(line);
    }

    /**
     * With the one verb that the arguments begin with, where that is enough: picocli reads every option of every verb it has, which
     * takes longer than most verbs.
     */
    static CommandLine commandLine(String... arguments) {
        Class<?> verb = arguments.length == 0 ? null : VERBS.get(arguments[0]);
        if (verb == null || verb == CompletionCommand.class || verb == ManCommand.class) {
            return commandLine();
        }
        return configured(new CommandLine(new RedlinerCommand()).addSubcommand(arguments[0], verb));
    }

    private static CommandLine configured(CommandLine line) {
        return line.setExecutionExceptionHandler(RedlinerCommand::explain).setCaseInsensitiveEnumValuesAllowed(true);
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
