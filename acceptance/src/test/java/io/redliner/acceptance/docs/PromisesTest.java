// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every row of {@code docs/promises.md} names tests that exist, and says by its mark in which suite they are. */
class PromisesTest {

    private static final Pattern NAMED = Pattern.compile("`([a-z/]+):(\\w+)`");

    private static final Pattern TESTS = Pattern
            .compile("@(Test|Property|ParameterizedTest|RepeatedTest|TestFactory)\\b");

    private static final Pattern PARENT = Pattern.compile("\\b(?:extends|implements) (\\w+)");

    private static final Map<Path, String> SOURCES = Checkout.files("java").stream()
            .filter(file -> file.toString().contains("/src/test/"))
            .collect(Collectors.toMap(Function.identity(), Checkout::read));

    @Test
    void every_promise_names_tests_that_exist() {
        List<String> rows = rows();
        assertThat(rows).hasSizeGreaterThan(12);
        for (String row : rows) {
            List<MatchResult> named = NAMED.matcher(row).results().toList();
            assertThat(named).as(row).isNotEmpty();
            for (MatchResult test : named) {
                assertThat(tested(test.group(1), test.group(2))).as("tests of " + test.group()).isTrue();
            }
        }
    }

    @Test
    void a_test_of_the_full_suite_is_marked_as_one() {
        List<String> wrong = new ArrayList<>();
        for (String row : rows()) {
            int full = Math.max(row.indexOf("*full:*"), row.indexOf("*full*"));
            NAMED.matcher(row).results().filter(test -> full < 0 || test.start() < full)
                    .filter(test -> classTagged(test.group(1), test.group(2)))
                    .forEach(test -> wrong.add(test.group() + " runs in the full suite only"));
        }

        assertThat(wrong).isEmpty();
    }

    private static List<String> rows() {
        return Checkout.read(Checkout.ROOT.resolve("docs/promises.md")).lines()
                .filter(line -> line.matches("\\| \\d+ \\|.*")).toList();
    }

    private static Optional<String> source(String module, String name) {
        return SOURCES.entrySet().stream()
                .filter(source -> source.getKey().startsWith(Checkout.ROOT.resolve(module).resolve("src"))
                        && source.getKey().endsWith(name + ".java"))
                .map(Map.Entry::getValue).findFirst();
    }

    /** Itself, or the class or interface of the same module that it takes its tests from. */
    private static boolean tested(String module, String name) {
        return source(module, name).filter(text -> TESTS.matcher(text).find()
                || PARENT.matcher(text).results().anyMatch(parent -> tested(module, parent.group(1)))).isPresent();
    }

    private static boolean classTagged(String module, String name) {
        return source(module, name).filter(text -> text.substring(0, text.indexOf("class " + name)).contains("@Tag("))
                .isPresent();
    }
}
