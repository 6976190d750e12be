// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.RequestRejectedException;
import io.redliner.contract.text.ReleaseVersion;
import io.redliner.controller.plan.NumberText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code redliner}. */
@Command(name = "redliner", mixinStandardHelpOptions = true, description = "How many requests per second can one instance take before it breaks its SLA?")
public final class RedlinerCommand {

    /** The least columns in which picocli can show options beside their descriptions. */
    private static final int MIN_HELP_WIDTH = 55;

    private static final int MAX_HELP_WIDTH = 80;

    /** Commands that need only a controller, in the order of the help. */
    public static final Map<String, Class<?>> VERBS;

    static {
        Map<String, Class<?>> verbs = new LinkedHashMap<>();
        verbs.put("init", InitCommand.class);
        verbs.put("doctor", DoctorCommand.class);
        verbs.put("run", RunPlanCommand.class);
        verbs.put("watch", WatchCommand.class);
        verbs.put("validate", ValidateCommand.class);
        verbs.put("import", ImportCommand.class);
        verbs.put("status", StatusCommand.class);
        verbs.put("stop", KillSwitchCommand.Stop.class);
        verbs.put("kill-switch", KillSwitchCommand.class);
        verbs.put("abort", AbortCommand.class);
        verbs.put("pause", RunActionCommand.Pause.class);
        verbs.put("resume", RunActionCommand.Resume.class);
        verbs.put("approve", RunActionCommand.Approve.class);
        verbs.put("open", OpenCommand.class);
        verbs.put("report", ReportCommand.class);
        verbs.put("compare", CompareCommand.class);
        verbs.put("apply", ApplyCommand.class);
        verbs.put("freeze", FreezeCommand.class);
        verbs.put("replay", ReplayCommand.class);
        verbs.put("size", SizeCommand.class);
        verbs.put("suggest", SuggestCommand.class);
        verbs.put("completion", CompletionCommand.class);
        verbs.put("man", ManCommand.class);
        VERBS = Collections.unmodifiableMap(verbs);
    }

    /** The standard output. It keeps the reason why something could not be written, which {@link System#out} does not. */
    private static final class StandardOutput extends FileOutputStream {

        private volatile String problem = "";

        StandardOutput() {
            super(FileDescriptor.out);
        }

        /** Keeps the first failure. A writer calls no other method of a stream to write. */
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                super.write(bytes, from, length);
            } catch (IOException failure) {
                problem = problem.isEmpty() ? ": " + failure.getMessage() : problem;
                throw failure;
            }
        }
    }

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // Figures and names are the same on a machine of any language.
        Locale.setDefault(Locale.ROOT);
        // A library of the plan module logs through SLF4J. Without a binding, SLF4J would print a warning to the user.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(commandLine(arguments).execute(arguments));
    }

    /**
     * Creates a command line with the given verbs.
     *
     * @param verbs the annotated class of each, in the order of the help
     */
    public static CommandLine commandLine(Map<String, Class<?>> verbs) {
        CommandLine line = new VerbFirst(new RedlinerCommand());
        verbs.forEach(line::addSubcommand);
        return configured(line);
    }

    /**
     * Creates a command line with only the verb that the arguments begin with, where that is enough: picocli reads every option
     * of every verb it has, which takes longer than most verbs.
     */
    static CommandLine commandLine(String... arguments) {
        Class<?> verb = arguments.length == 0 ? null : VERBS.get(arguments[0]);
        if (verb == null || verb == CompletionCommand.class || verb == ManCommand.class) {
            return commandLine(VERBS);
        }
        return configured(new VerbFirst(new RedlinerCommand()).addSubcommand(arguments[0], verb));
    }

    private static CommandLine configured(CommandLine line) {
        StandardOutput standardOutput = new StandardOutput();
        line.getCommandSpec().version("RedLiner " + ReleaseVersion.get());
        line.getSubcommands().values()
                .forEach(verb -> verb.getCommandSpec().version(line.getCommandSpec().version()));
        line.setUsageHelpWidth(Math.clamp(ClientOptions.LAYOUT.width(), MIN_HELP_WIDTH, MAX_HELP_WIDTH));
        return line.registerConverter(BigDecimal.class, text -> {
            try {
                return NumberText.parse(text, "is no number; write it as 1234.5, with a point and without separators");
            } catch (IllegalArgumentException malformed) {
                throw new TypeConversionException("'" + text + "' " + malformed.getMessage());
            }
        })
                .registerConverter(URI.class, text -> {
                    try {
                        return URI.create(text);
                    } catch (IllegalArgumentException malformed) {
                        throw new TypeConversionException(ClientOptions.notAnAddress(text));
                    }
                })
                .setExecutionStrategy(parsed -> run(parsed, line, standardOutput))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command))
                .setParameterExceptionHandler((mistake, arguments) -> ArgumentMistake.explain(mistake))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(new OutputStreamWriter(standardOutput, StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    }

    /**
     * Runs a command. It fails when not all of its output could be written, because the disk is full or the reader of the pipe is
     * gone.
     */
    private static int run(CommandLine.ParseResult parsed, CommandLine line, StandardOutput standardOutput) {
        int code = new CommandLine.RunLast().execute(parsed);
        if (!line.getOut().checkError()) {
            return code;
        }
        line.getErr().println(
                "redliner: not all of the answer could be written to the standard output" + standardOutput.problem);
        line.getErr().flush();
        return code == 0 ? line.getCommandSpec().exitCodeOnExecutionException() : code;
    }

    /**
     * Explains on the standard error, in one line, why a command failed. With {@code --output json}, the standard output gets a
     * document of problem+json.
     *
     * @return the exit code
     */
    public static int explain(Throwable failure, CommandLine command) {
        PrintWriter err = command.getErr();
        ClientOptions.LAYOUT.wrap("redliner " + command.getCommandName() + ": " + sentence(failure))
                .forEach(err::println);
        err.flush();
        if (command.getParseResult().matchedOptionValue("--output",
                ClientOptions.Output.TEXT) == ClientOptions.Output.JSON) {
            command.getOut().println(problem(failure).toPrettyString());
            command.getOut().flush();
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static JsonNode problem(Throwable failure) {
        return failure instanceof RequestRejectedException rejected
                ? rejected.problem()
                : new JsonMapper().createObjectNode().put("type", "about:blank").put("title", "It could not be done")
                        .put("detail", sentence(failure));
    }

    private static String sentence(Throwable failure) {
        StringBuilder text = new StringBuilder(describe(failure));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            // The words of a parser are about its settings.
            if (cause.getMessage() != null && !(cause instanceof JacksonException)
                    && text.indexOf(cause.getMessage()) < 0) {
                text.append(": ").append(describe(cause));
            }
        }
        return text.toString();
    }

    private static String describe(Throwable failure) {
        if (failure instanceof FileSystemException file) {
            return FileFailure.describe(file);
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    /** {@code redliner completion}: a script for the shell. */
    @Command(name = "completion", mixinStandardHelpOptions = true, description = {
        "Prints a script that lets the shell complete verbs and options.",
        "bash: source <(redliner completion bash)   zsh: the same, in .zshrc",
        "fish: redliner completion fish > ~/.config/fish/completions/redliner.fish"})
    static final class CompletionCommand implements Callable<Integer> {

        /** The shells; zsh reads bash's with bashcompinit, which the script loads itself. Fish has a script of its own. */
        enum Shell {
            /** GNU's. */
            BASH,
            /** The Z shell. */
            ZSH,
            /** The friendly interactive shell. */
            FISH;

            @Override
            public String toString() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}; the script of bash and zsh is the same.")
        private @Nullable Shell shell;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Override
        public Integer call() {
            CommandLine root = spec.root().commandLine();
            PrintWriter out = spec.commandLine().getOut();
            out.println("# Completion of redliner for " + shell);
            out.print(shell == Shell.FISH
                    ? FishCompletion.script(root.getCommandSpec())
                    : AutoComplete.bash("redliner", root));
            out.flush();
            return 0;
        }
    }

    /**
     * A command line on which options of verbs may come before the verb, too: {@code redliner --url URL status}. {@code help} and
     * {@code help status} are read as the option {@code --help}.
     */
    private static final class VerbFirst extends CommandLine {

        VerbFirst(Object command) {
            super(command);
        }

        @Override
        public ParseResult parseArgs(String... arguments) {
            return super.parseArgs(ordered(List.of(arguments)).toArray(String[]::new));
        }

        /** Moves leading options behind the verb. Options that no verb has stay in place, so that the error message names them. */
        private List<String> ordered(List<String> arguments) {
            if (!arguments.isEmpty() && arguments.getFirst().equals("help")) {
                return arguments.size() == 1 ? List.of("--help") : List.of(arguments.get(1), "--help");
            }
            int at = 0;
            while (at < arguments.size() && arguments.get(at).startsWith("-")) {
                String argument = arguments.get(at);
                Optional<OptionSpec> option = option(argument.replaceFirst("=.*", ""));
                if (option.isEmpty()) {
                    return arguments;
                }
                boolean value = !argument.contains("=") && (option.get().arity().min() > 0
                        || (option.get().arity().max() > 0 && isValue(arguments, at + 1)));
                at += value ? 2 : 1;
            }
            if (at >= arguments.size()) {
                // Without a verb that is what is missing.
                return at == 0 ? arguments : List.of();
            }
            return Stream.of(arguments.subList(at, at + 1), arguments.subList(0, at),
                    arguments.subList(at + 1, arguments.size())).flatMap(List::stream).toList();
        }

        /** Returns whether this is the value of an option that need not have one. */
        private boolean isValue(List<String> arguments, int at) {
            return at < arguments.size() && !arguments.get(at).startsWith("-")
                    && !getSubcommands().containsKey(arguments.get(at));
        }

        private Optional<OptionSpec> option(String name) {
            return getCommandSpec().findOption(name) != null
                    ? Optional.empty()
                    : getSubcommands().values().stream()
                            .flatMap(verb -> Stream.ofNullable(verb.getCommandSpec().findOption(name))).findFirst();
        }
    }
}
