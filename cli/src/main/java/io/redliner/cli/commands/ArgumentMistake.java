// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a command line that cannot be understood: what is wrong, what may have been meant, and where the help is. */
final class ArgumentMistake {

    /** Letters of a word for each wrong one that a suggestion allows; two that changed places are two wrong ones. */
    private static final int LETTERS_PER_SLIP = 3;

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
            String named = word.replaceFirst("=.*", "");
            return known.filter(candidate -> distance(named, candidate) * LETTERS_PER_SLIP <= named.length() + 1)
                    .min(Comparator.comparingInt(candidate -> distance(named, candidate)))
                    .map(candidate -> isOption ? candidate : spec.name() + " " + candidate);
        });
    }

    /** Returns the number of letters to add, to leave out or to replace that make one word the other (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int at = 0; at < one.length(); at++) {
            int[] next = new int[row.length];
            next[0] = at + 1;
            for (int to = 0; to < other.length(); to++) {
                int replaced = row[to] + (one.charAt(at) == other.charAt(to) ? 0 : 1);
                next[to + 1] = Math.min(replaced, 1 + Math.min(next[to], row[to + 1]));
            }
            row = next;
        }
        return row[other.length()];
    }
}
