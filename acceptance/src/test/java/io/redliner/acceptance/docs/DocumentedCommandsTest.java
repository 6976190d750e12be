// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.redirector.config.ServicesFileParser;
import io.redliner.sla.RuleCompiler;
import io.redliner.standalone.StandaloneCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** The commands, plans and services files in the documentation are those that RedLiner takes. */
class DocumentedCommandsTest {

    /** A fenced block: what stands behind the fence, and the text. */
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```([^\\n]*)\\n(.*?)^ *```");

    private static final Pattern COMMAND = Pattern.compile("(?m)^ *(?:\\$ )?\\./redliner +(.*)$");

    /** Where a command of the shell ends: at a comment, a pipe, a redirection, another command, or the text beside a synopsis. */
    private static final Pattern COMMAND_END = Pattern.compile("\\s(?:#|\\||>|2>|<|&|;)|\\)|\\s{2,}|$");

    /** Of alternatives in a synopsis, those after the first. */
    private static final Pattern ALTERNATIVES = Pattern.compile("(?<=\\w)(?:\\|\\w+)+");

    /** The name of the file that a block is. */
    private static final Pattern FILE = Pattern.compile("^\\w+ file=(\\S+)$");

    private static final Pattern ARGUMENT = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private record Block(String file, String kind, String text) {}

    @Test
    void every_command_has_verbs_and_options_that_exist() {
        List<String> wrong = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (Block block : blocks()) {
            COMMAND.matcher(block.text.replace("\\\n", " ")).results().forEach(command -> {
                String line = ALTERNATIVES.matcher(COMMAND_END.split(command.group(1), 2)[0].replaceAll("[\\[\\]]", ""))
                        .replaceAll("").strip();
                all.add(line);
                try {
                    StandaloneCommand.commandLine().parseArgs(arguments(line));
                } catch (ParameterException e) {
                    wrong.add(block.file + ": " + line + ": " + e.getMessage());
                }
            });
        }

        assertThat(wrong).isEmpty();
        assertThat(all).hasSizeGreaterThan(20);
    }

    /** The guide's commands are run by {@link FirstServiceGuideTest}. */
    @Test
    void the_first_steps_on_the_overview_are_commands_of_the_guide() throws IOException {
        Set<String> guide = Files.readAllLines(Checkout.ROOT.resolve("docs/guides/first-service.md")).stream()
                .map(String::strip).collect(Collectors.toSet());
        String page = Files.readString(
                Checkout.ROOT.resolve("controller/service/src/main/resources/controller-pages/overview.html"));

        List<String> steps = Pattern.compile("(?s)<pre[^>]*><code>(.*?)</code></pre>").matcher(page).results()
                .flatMap(block -> block.group(1).replace("&amp;", "&").lines()).toList();

        assertThat(steps).hasSize(6).allSatisfy(step -> assertThat(guide).contains(step));
    }

    @Test
    void every_plan_and_every_services_file_is_accepted() {
        List<String> wrong = new ArrayList<>();
        int plans = 0;
        int files = 0;
        for (Block block : blocks()) {
            try {
                boolean whole = !block.kind.equals("yaml fragment");
                String text = block.text.replaceFirst("\\A(?:#.*\\n)+", "");
                if (whole && text.startsWith("apiVersion: redliner.io/")) {
                    new PlanReader(new RuleCompiler()).read(block.text);
                    plans++;
                } else if (whole && text.startsWith("services:")) {
                    ServicesFileParser.parse("services.yaml", block.text);
                    files++;
                }
            } catch (Exception e) {
                wrong.add(block.file + ": " + e.getMessage());
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(plans).isGreaterThanOrEqualTo(3);
        assertThat(files).isGreaterThan(1);
    }

    @Test
    void a_file_that_is_shown_is_the_file_of_that_name() {
        // One without a folder is a file of the reader's own.
        List<Block> shown = blocks().stream().filter(block -> FILE.matcher(block.kind).find())
                .filter(block -> block.kind.contains("/")).toList();

        assertThat(shown).isNotEmpty()
                .allSatisfy(block -> assertThat(block.text).as(block.kind).isEqualTo(Checkout.read(file(block))));
    }

    private static Path file(Block block) {
        return Checkout.ROOT.resolve(FILE.matcher(block.kind).replaceFirst("$1"));
    }

    private static String[] arguments(String line) {
        return ARGUMENT.matcher(line).results()
                .map(found -> Stream.of(1, 2, 3).map(found::group).filter(text -> text != null).findFirst()
                        .orElseThrow())
                .toArray(String[]::new);
    }

    private static List<Block> blocks() {
        return Checkout.files(".md").stream()
                .flatMap(file -> BLOCK.matcher(Checkout.read(file)).results()
                        .map(block -> new Block(Checkout.name(file), block.group(1).strip(), block.group(2))))
                .toList();
    }
}
