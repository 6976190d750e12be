// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line hands to other programs: completions to shells, and a page to man. */
class CompletionTest {

    @TempDir
    Path folder;

    private static List<String> output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
                .toList();
        assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
        return lines;
    }

    private static boolean has(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }

    @Test
    void bash_offers_verbs_and_their_options() throws Exception {
        Path script = Files.writeString(folder.resolve("redliner.bash"),
                FakeController.execute("completion", "bash").out());

        assertThat(output("bash", "-n", script.toString())).isEmpty();
        assertThat(complete(script, "redliner", "")).contains("run", "status", "abort", "report", "size");
        assertThat(complete(script, "redliner", "run", "--w")).containsExactly("--watch");
        assertThat(complete(script, "redliner", "report", "--format", "")).contains("junit");
    }

    private static List<String> complete(Path script, String... words) throws IOException, InterruptedException {
        String line = String.join(" ", words);
        return output("bash", "-c", "source " + script + "; COMP_WORDS=(" + (line.endsWith(" ") ? line + "''" : line)
                + "); COMP_CWORD=" + (words.length - 1) + "; COMP_LINE='" + line
                + "'; _complete_redliner 2> /dev/null; "
                + "printf '%s\\n' \"${COMPREPLY[@]}\"").stream().map(String::strip).toList();
    }

    @Test
    void zsh_takes_the_script() throws Exception {
        String script = FakeController.execute("completion", "zsh").out();

        assertThat(script).contains("bashcompinit");
        assumeTrue(has("zsh"), "zsh is not installed");
        assertThat(output("zsh", "-n", Files.writeString(folder.resolve("redliner.zsh"), script).toString())).isEmpty();
    }

    @Test
    void fish_gets_each_verb_each_option_and_the_values_of_options() throws Exception {
        String script = FakeController.execute("completion", "fish").out();

        assertThat(script).contains("complete -c redliner -f\n",
                "complete -c redliner -n __fish_use_subcommand -a kill-switch -d 'Says whether",
                "complete -c redliner -n '__fish_seen_subcommand_from run' -l watch -d 'Show each window",
                "complete -c redliner -n '__fish_seen_subcommand_from report' -l format -x -a 'html json junit csv' -d ",
                "complete -c redliner -n '__fish_seen_subcommand_from report' -l out -r -F -d ",
                "complete -c redliner -n '__fish_seen_subcommand_from kill-switch' -a 'show engage release'",
                "complete -c redliner -n '__fish_seen_subcommand_from run' -F\n",
                "complete -c redliner -n '__fish_seen_subcommand_from size' -l headroom -x -d 'The part of each instance\\'s ")
                .doesNotContain("${", "%%");
        RedlinerCommand.VERBS.keySet().forEach(verb -> assertThat(script).contains("-a " + verb + " -d '"));
        assumeTrue(has("fish"), "fish is not installed");
        Path file = Files.writeString(folder.resolve("redliner.fish"), script);
        assertThat(output("fish", "--no-execute", file.toString())).isEmpty();
        assertThat(output("fish", "-c", "source " + file + "; complete -C 'redliner run --w'"))
                .anyMatch(line -> line.startsWith("--watch"));
    }

    @Test
    void a_shell_that_is_not_known_is_refused() {
        assertThat(FakeController.execute("completion", "tcsh").code()).isEqualTo(2);
    }

    @Test
    void the_manual_page_is_rendered_without_a_warning() throws Exception {
        String page = FakeController.execute("man").out();

        assertThat(page).contains(".TH REDLINER 1", "redliner run", "\\-\\-watch", ".SH ENVIRONMENT")
                .doesNotContain("${", "%%");
        assumeTrue(has("groff"), "groff is not installed");
        Path file = Files.writeString(folder.resolve("redliner.1"), page);
        assertThat(output("groff", "-ww", "-man", "-Tutf8", "-z", file.toString())).isEmpty();
    }
}
