// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command line that cannot be understood gets the mistake, and not twenty lines of usage around it. */
class ArgumentMistakeTest {

    private static FakeController.Ran run(String line) {
        return FakeController.execute(line.isEmpty() ? new String[0] : line.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "\"\"                     | Missing required subcommand: say what to do, as in redliner status | All verbs: redliner --help",
        "frob                     | redliner: 'frob' is no verb | How it is used: redliner --help",
        "validate /nowhere.yaml   | redliner validate: There is no plan file /nowhere.yaml | How it is used: redliner validate --help",
        "run                      | redliner run: Missing required parameter: 'PLAN' | How it is used: redliner run --help",
        "report r1 --frob         | redliner report: Unknown option: '--frob' | How it is used: redliner report --help",
        "status a b               | redliner status: Unmatched argument | How it is used: redliner status --help",
        "pause r1                 | redliner pause: Missing required option: '--reason=TEXT' | How it is used: redliner pause --help"})
    void a_mistake_is_one_line_and_one_more_says_where_the_help_is(String line, String mistake, String help) {
        FakeController.Ran ran = run(line);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().lines().toList()).as(ran.err()).hasSize(2);
        assertThat(ran.err()).contains(mistake).endsWith(help + "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"statsu | Did you mean: redliner status?",
        "abrot | Did you mean: redliner abort?", "validat plan | Did you mean: redliner validate?",
        "report r1 --fromat csv | Did you mean: --format?", "status --ouptut=json | Did you mean: --output?"})
    void a_slip_gets_the_word_that_was_meant(String line, String suggestion) {
        assertThat(run(line).err()).contains(suggestion);
    }

    /** A verb that changes something is not offered for a word that has little of it. */
    @ParameterizedTest
    @ValueSource(strings = {"frob", "go", "begin", "delete", "approval-list"})
    void another_word_gets_no_suggestion(String line) {
        assertThat(run(line).err()).contains("is no verb").doesNotContain("Did you mean");
    }

    @Test
    void help_is_a_verb_as_well() {
        assertThat(run("help").out()).contains("How many requests per second", "status");
        assertThat(run("help run").out()).contains("Usage: redliner run", "--watch");
        assertThat(run("help run").code()).isZero();
    }
}
