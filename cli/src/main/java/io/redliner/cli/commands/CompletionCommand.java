// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code redliner completion}: a script for the shell. */
@Command(name = "completion", mixinStandardHelpOptions = true, description = {
    "Prints a script that lets the shell complete verbs and options.",
    "bash: source <(redliner completion bash)   zsh: the same, in .zshrc"})
final class CompletionCommand implements Callable<Integer> {

    /** The shells; zsh reads bash's with bashcompinit, which the script loads itself. */
    enum Shell {
        /** GNU's. */
        BASH,
        /** The Z shell. */
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}; the script is the same for both.")
    private @Nullable Shell shell;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        out.println("# Completion of redliner for " + shell);
        out.print(AutoComplete.bash("redliner", root));
        out.flush();
        return 0;
    }
}
