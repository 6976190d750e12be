// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A command line on which options of verbs may come before the verb, too: {@code redliner --url URL status}. {@code help} and
 * {@code help status} are read as the option {@code --help}.
 */
final class VerbFirst extends CommandLine {

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
