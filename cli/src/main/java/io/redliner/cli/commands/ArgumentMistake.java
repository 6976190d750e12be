// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.contract.text.Spelling;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a command line that cannot be understood: what is wrong, what may have been meant, and where the help is. */
final class ArgumentMistake {

    private ArgumentMistake() {}

    /**
     * Prints the mistake on the standard error, without the usage page.
     *
     * @return the exit code
     */
    static int explain(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        CommandSpec spec = command.getCommandSpec();
        String name = spec.qualifiedName(" ");
        PrintWriter err = command.getErr();
        (name + ": " + message(mistake)).lines()
                .forEach(line -> ClientOptions.LAYOUT.wrap(line).forEach(err::println));
        near(mistake).ifPresent(near -> err.println("Did you mean: " + near + "?"));
        err.println((isWithoutVerb(mistake, spec) ? "All verbs: " : "How it is used: ") + name + " --help");
        err.flush();
        return spec.exitCodeOnInvalidInput();
    }

    private static String message(ParameterException mistake) {
        CommandSpec spec = mistake.getCommandLine().getCommandSpec();
        return isWithoutVerb(mistake, spec)
                ? "Missing required subcommand: say what to do, as in " + spec.name() + " status"
                : verb(mistake).map(word -> "'" + word + "' is no verb")
                        .orElseGet(() -> String.valueOf(mistake.getMessage()));
    }

    private static boolean isWithoutVerb(ParameterException mistake, CommandSpec spec) {
        return spec.parent() == null && !(mistake instanceof UnmatchedArgumentException);
    }

    /** Returns the word that stands where the verb should. */
    private static Optional<String> verb(ParameterException mistake) {
        return word(mistake).filter(word -> mistake.getCommandLine().getCommandSpec().parent() == null
                && !word.startsWith("-"));
    }

    private static Optional<String> word(ParameterException mistake) {
        return mistake instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream().findFirst()
                : Optional.empty();
    }

    /** Returns the verb or the option that differs from what was written by a slip; empty when none does. */
    private static Optional<String> near(ParameterException mistake) {
        CommandSpec spec = mistake.getCommandLine().getCommandSpec();
        return word(mistake).flatMap(word -> {
            boolean isOption = word.startsWith("-");
            Stream<String> known = isOption
                    ? spec.options().stream().flatMap(option -> Stream.of(option.names()))
                    : spec.subcommands().keySet().stream();
            return Spelling.nearest(word.replaceFirst("=.*", ""), known)
                    .map(candidate -> isOption ? candidate : spec.name() + " " + candidate);
        });
    }
}
