// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.cli.commands.RedlinerCommand;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.core.NestedExceptionUtils;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The command {@code redliner} with the verbs that start RedLiner itself, beside those of a controller's clients. */
public final class StandaloneCommand {

    /** True when this process can start RedLiner: the image of the command line has no servers on its class path. */
    private static final boolean HAS_SERVERS = StandaloneCommand.class
            .getResource("/org/springframework/boot/SpringApplication.class") != null;

    /** The commands in the order of the help. */
    static final Map<String, Class<?>> VERBS = new LinkedHashMap<>();

    static {
        if (HAS_SERVERS) {
            VERBS.put("demo", DemoCommand.class);
            VERBS.put("up", UpCommand.class);
            VERBS.put("down", DownCommand.class);
        }
        VERBS.put("fleet", FleetCommand.class);
        VERBS.putAll(RedlinerCommand.VERBS);
    }

    private StandaloneCommand() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // Figures and names are the same on a machine of any language.
        Locale.setDefault(Locale.ROOT);
        System.exit(commandLine().execute(arguments));
    }

    /** Returns the command with all its verbs. */
    public static CommandLine commandLine() {
        return RedlinerCommand.commandLine(VERBS).setExecutionExceptionHandler(StandaloneCommand::explain);
    }

    private static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        if (StandaloneOptions.hasLog()) {
            LoggerFactory.getLogger(StandaloneCommand.class).error("{} failed", command.getCommandName(), failure);
        }
        return RedlinerCommand.explain(cause(failure), command);
    }

    /**
     * Returns what to tell of a failure. Spring's exceptions say how the components are wired, not what the user did: the last
     * of RedLiner's own among their causes says that, or else the first cause.
     */
    static Throwable cause(Throwable failure) {
        if (!HAS_SERVERS || !(failure instanceof BeansException)) {
            return failure;
        }
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(cause -> cause.getClass().getName().startsWith("io.redliner."))
                .reduce((first, next) -> next).orElseGet(() -> NestedExceptionUtils.getMostSpecificCause(failure));
    }
}
