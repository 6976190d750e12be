// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** No identifier, comment or text of code, pages, documents, messages and scripts has a word of {@code build/words.txt}. */
class WordListTest {

    /** Names in code: letters, with underscores between them. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z_]*");

    /** The words of a name in camel case or with underscores. */
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    private static final Map<String, String> LIST = lines("words").stream().map(line -> line.split(" = ", 2))
            .collect(Collectors.toMap(line -> line[0].strip(), line -> line[1].strip()));

    /** Persisted and public names, which cannot change, by the end of the name of the file that may have them. */
    private static final Map<String, Set<String>> PINNED = lines("pinned-words").stream()
            .map(line -> line.split(": ", 2))
            .collect(Collectors.toMap(line -> line[0], line -> Set.of(line[1].strip().split(" "))));

    @Test
    void no_text_of_the_repository_has_a_word_of_the_list() {
        List<String> found = new ArrayList<>();
        var files = Checkout.files(".java", ".js", ".html", ".css", ".md", ".proto", ".yaml", ".yml", ".py", ".sh",
                "NOTES.txt",
                "/check", "/build", "/redliner");
        assertThat(files).hasSizeGreaterThan(1_500);
        for (var file : files) {
            var lines = Checkout.read(file).lines().toList();
            Set<String> pinned = pinned(Checkout.name(file));
            for (int i = 0; i < lines.size(); i++) {
                for (String complaint : complaints(lines.get(i), pinned)) {
                    found.add(Checkout.name(file) + ":" + (i + 1) + ": " + complaint);
                }
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void a_word_is_found_in_every_kind_of_name() {
        String word = LIST.keySet().iterator().next();
        String capital = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);

        assertThat(complaints("int last" + capital + "At = " + word + "_of(" + word.toUpperCase(Locale.ROOT) + "_X);",
                Set.of())).hasSize(3);
        assertThat(complaints("int " + word + "x = x" + word + ";", Set.of())).isEmpty();
        assertThat(complaints(word + "();", Set.of(word))).isEmpty();
    }

    @Test
    void every_pinned_word_is_still_in_its_file() {
        for (var pinned : PINNED.entrySet()) {
            assertThat(Checkout.files(pinned.getKey())).as(pinned.getKey()).isNotEmpty();
            String text = Checkout.files(pinned.getKey()).stream().map(Checkout::read).collect(Collectors.joining());
            assertThat(NAME.matcher(text).results().map(MatchResult::group)).containsAll(pinned.getValue());
        }
    }

    private static Set<String> pinned(String file) {
        return PINNED.entrySet().stream().filter(entry -> file.endsWith(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream()).collect(Collectors.toSet());
    }

    private static List<String> complaints(String line, Set<String> pinned) {
        return NAME.matcher(line).results().map(MatchResult::group).filter(name -> !pinned.contains(name))
                .flatMap(name -> WORD.matcher(name).results()).map(match -> match.group().toLowerCase(Locale.ROOT))
                .filter(LIST::containsKey).map(word -> "\"" + word + "\": say " + LIST.get(word)).toList();
    }

    private static List<String> lines(String name) {
        return Checkout.read(Checkout.ROOT.resolve("build/" + name + ".txt")).lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    }
}
