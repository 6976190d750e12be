// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code redliner man}: the manual page. */
@Command(name = "man", mixinStandardHelpOptions = true, description = {
    "Shows the manual page on a terminal, and prints its source elsewhere: redliner man > redliner.1"})
final class ManCommand implements Callable<Integer> {

    @Option(names = "--source", description = "Print the source on a terminal, too.")
    private boolean source;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String page = new ManualWriter().write(spec.root());
        if (source || !Boolean.getBoolean("redliner.terminal") || !shows(page)) {
            spec.commandLine().getOut().print(page);
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    /** Shows the page in the system's viewer. Returns false when there is none, or it failed. */
    private static boolean shows(String page) throws IOException, InterruptedException {
        Path file = Files.createTempFile("redliner", ".1");
        try {
            Files.writeString(file, page);
            return new ProcessBuilder("man", "-l", file.toString()).inheritIO().start().waitFor() == 0;
        } catch (IOException noViewer) {
            return false;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** A command and its verbs as a manual page in roff with the macros of man(7). */
    private static final class ManualWriter {

        private final StringBuilder page = new StringBuilder();

        String write(CommandSpec root) {
            String name = root.name();
            page.append(".\\\" SPDX-License-Identifier: Apache-2.0\n");
            page.append(".TH ").append(name.toUpperCase(Locale.ROOT)).append(" 1 \"\" \"")
                    .append(escape(root.version()))
                    .append("\" \"User Commands\"\n");
            section("NAME");
            text(name + " \\- " + escape(root.usageMessage().description()));
            section("SYNOPSIS");
            text("\\fB" + name + "\\fR \\fIVERB\\fR [\\fIOPTION\\fR]...");
            section("VERBS");
            root.subcommands().values().forEach(verb -> verb(name, verb.getCommandSpec()));
            section("ENVIRONMENT");
            environment();
            section("EXAMPLES");
            examples();
            return page.toString();
        }

        private void verb(String name, CommandSpec verb) {
            page.append(".SS \"").append(name).append(' ').append(escape(verb.name())).append("\"\n");
            StringBuilder synopsis = new StringBuilder("\\fB" + name + " " + escape(verb.name()) + "\\fR");
            for (PositionalParamSpec parameter : verb.positionalParameters()) {
                String label = "\\fI" + escape(parameter.paramLabel()) + "\\fR";
                synopsis.append(' ').append(parameter.required() ? label : "[" + label + "]");
            }
            text(synopsis + " [\\fIOPTION\\fR]...");
            page.append(".PP\n");
            text(escape(verb.usageMessage().description()));
            for (PositionalParamSpec parameter : verb.positionalParameters()) {
                item("\\fI" + escape(parameter.paramLabel()) + "\\fR", escape(parameter.description()));
            }
            for (OptionSpec option : verb.options()) {
                if (!option.usageHelp() && !option.versionHelp()) {
                    String value = option.arity().max() == 0 ? "" : " \\fI" + escape(option.paramLabel()) + "\\fR";
                    item("\\fB" + escape(String.join(", ", option.names())) + "\\fR" + value,
                            escape(option.description()));
                }
            }
            if (!verb.usageMessage().exitCodeList().isEmpty()) {
                page.append(".PP\nExit codes:\n");
                verb.usageMessage().exitCodeList().forEach((code, meaning) -> item(escape(code), escape(meaning)));
            }
        }

        private void environment() {
            item("\\fBREDLINER_URL\\fR", "Where the controller is, when \\-\\-url does not say.");
            item("\\fBREDLINER_TOKEN\\fR, \\fBREDLINER_TOKEN_FILE\\fR", "An API token, or a file that holds one.");
            item("\\fBNO_COLOR\\fR", "Nothing is coloured when it is set.");
            item("\\fBREDLINER_JAVA_OPTIONS\\fR", "Further options for the Java that the launcher starts.");
        }

        private void examples() {
            for (List<String> example : List.of(
                    List.of("Try it, with a fleet whose capacity is known:", "redliner demo"),
                    List.of("Test, and watch:",
                            "redliner run capacity.yaml --watch --url https://redliner.example.com"),
                    List.of("In a pipeline, with a report for CI:",
                            "redliner run gate.yaml --output json > run.json\nredliner report RUN --out junit.xml"),
                    List.of("Stop everything:", "redliner stop"),
                    List.of("Stop one:", "redliner abort RUN --reason 'users complain' --wait"))) {
                page.append(".PP\n");
                text(escape(example.getFirst()));
                page.append(".PP\n.nf\n.RS\n").append(escape(example.getLast())).append("\n.RE\n.fi\n");
            }
        }

        private void section(String title) {
            page.append(".SH ").append(title).append('\n');
        }

        private void item(String tag, String text) {
            page.append(".TP\n");
            text(tag);
            text(text);
        }

        /** A line of text; one that begins with a point or an apostrophe would be a macro. */
        private void text(String line) {
            page.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "").append(line).append('\n');
        }

        private static String escape(String... sentences) {
            return Help.Ansi.OFF.string(String.join(" ", sentences)).replace("%%", "%").replace("\\", "\\e")
                    .replace("-", "\\-")
                    .replace("$", "\\(Do");
        }
    }
}
