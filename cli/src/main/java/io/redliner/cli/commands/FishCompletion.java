// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes a script that lets fish complete verbs, options and their values; picocli writes those of the other shells. */
final class FishCompletion {

    private static final String COMPLETE = "complete -c redliner";

    private FishCompletion() {}

    /** Returns the script. */
    static String script(CommandSpec root) {
        StringBuilder script = new StringBuilder(COMPLETE).append(" -f\n");
        root.subcommands().forEach((name, verb) -> {
            CommandSpec spec = verb.getCommandSpec();
            String description = spec.usageMessage().description().length == 0
                    ? ""
                    : spec.usageMessage().description()[0];
            script.append(COMPLETE).append(" -n __fish_use_subcommand -a ").append(name).append(" -d ")
                    .append(quoted(description)).append('\n');
            verb(name, spec, script);
        });
        return script.toString();
    }

    private static void verb(String name, CommandSpec verb, StringBuilder script) {
        String begin = COMPLETE + " -n '__fish_seen_subcommand_from " + name + "'";
        for (PositionalParamSpec parameter : verb.positionalParameters()) {
            String candidates = candidates(parameter);
            if (!candidates.isEmpty()) {
                script.append(begin).append(" -a '").append(candidates).append("'\n");
            } else if (isFile(parameter)) {
                script.append(begin).append(" -F\n");
            }
        }
        for (OptionSpec option : verb.options()) {
            script.append(begin);
            for (String optionName : option.names()) {
                script.append(optionName.startsWith("--") ? " -l " : " -s ")
                        .append(optionName.replaceFirst("^--?", ""));
            }
            if (option.arity().min() > 0) {
                String candidates = candidates(option);
                script.append(candidates.isEmpty() ? isFile(option) ? " -r -F" : " -x" : " -x -a '" + candidates + "'");
            }
            script.append(" -d ").append(quoted(String.join(" ", option.description()))).append('\n');
        }
    }

    private static String candidates(ArgSpec argument) {
        return argument.completionCandidates() == null
                ? ""
                : StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                        .collect(Collectors.joining(" "));
    }

    /** Returns whether a value is a file: also those parameters that are a file or a pipe by name. */
    private static boolean isFile(ArgSpec argument) {
        return argument.type() == Path.class || Arrays.asList("PLAN", "FILE", "DIR").contains(argument.paramLabel());
    }

    /** Returns a text in quotes, with its percent signs as they are shown. */
    private static String quoted(String text) {
        String plain = Help.Ansi.OFF.string(text).replace("%%", "%");
        return "'" + plain.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
