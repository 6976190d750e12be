// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sentences of documents and of javadoc have at most 40 words, and at most 18 in the mean. */
class ProseTest {

    private static final int MAX_WORDS = 40;

    private static final int MAX_MEAN = 18;

    /** Fragments such as a cell of a table with one figure are no sentences. */
    private static final int MIN_WORDS = 4;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][\\w'/.,%-]*");

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+(?=[A-Z*\\[(`\"])");

    private static final Pattern LIST_ITEM = Pattern.compile("([-*]|\\d+\\.) .*");

    private static final Pattern JAVADOC = Pattern.compile("(?m)^\\s*/\\*\\*((?s:.*?))\\*/");

    private static final Pattern BLOCK = Pattern.compile("\\n\\s*\\n|<p>|<li>|\\n@\\w+|<t[dhr]>|<dd>|<dt>");

    private record Sentence(String file, String text, long words) {}

    @Test
    void sentences_of_documents_are_short() {
        var sentences = Checkout.files(".md").stream()
                .flatMap(file -> paragraphs(Checkout.read(file)).stream()
                        .flatMap(paragraph -> sentences(file, paragraph)))
                .toList();

        assertShort(sentences);
    }

    @Test
    void sentences_of_javadoc_are_short() {
        var sentences = Checkout.files(".java").stream()
                .flatMap(file -> JAVADOC.matcher(Checkout.read(file)).results()
                        .flatMap(comment -> Stream.of(BLOCK.split(plain(comment.group(1)))))
                        .flatMap(paragraph -> sentences(file, paragraph.replaceAll("<[^>]+>", " "))))
                .toList();

        assertShort(sentences);
    }

    @Test
    void a_sentence_of_forty_one_words_is_found() {
        assertThat(sentences(Checkout.ROOT, "Short one. " + "Word ".repeat(41) + "`and code`.").map(Sentence::words))
                .containsExactly(42L);
    }

    private static void assertShort(List<Sentence> sentences) {
        assertThat(sentences).hasSizeGreaterThan(1_000);
        assertThat(sentences.stream().filter(sentence -> sentence.words > MAX_WORDS)).isEmpty();
        assertThat(sentences.stream().mapToLong(Sentence::words).average().orElseThrow())
                .isLessThanOrEqualTo(MAX_MEAN);
    }

    private static String plain(String comment) {
        return comment.replaceAll("(?m)^\\s*\\*? ?", "").replaceAll("(?s)<pre>.*?</pre>", "")
                .replaceAll("\\{@\\w+ ([^}]*)}", "Code");
    }

    /** Paragraphs, items of lists and cells of tables, without code, headings and pictures. */
    private static List<String> paragraphs(String text) {
        var paragraphs = new ArrayList<String>();
        var open = new StringBuilder();
        boolean code = false;
        for (String raw : text.lines().toList()) {
            String line = raw.strip();
            boolean fence = line.startsWith("```");
            boolean item = LIST_ITEM.matcher(line).matches();
            boolean table = line.startsWith("|");
            if (fence || item || table || line.isEmpty() || Stream.of("#", "<", "[![").anyMatch(line::startsWith)) {
                paragraphs.add(open.toString());
                open.setLength(0);
            }
            code ^= fence;
            if (code || fence) {
                continue;
            }
            if (table) {
                paragraphs.addAll(List.of(line.split("\\|")));
            } else if (Stream.of("#", "<", "[![").noneMatch(line::startsWith)) {
                open.append(item ? line.substring(line.indexOf(' ') + 1) : line).append(' ');
            }
        }
        paragraphs.add(open.toString());
        return paragraphs;
    }

    private static Stream<Sentence> sentences(Path file, String paragraph) {
        String text = paragraph.replaceAll("\\s+", " ").replaceAll("`[^`]*`", "Code").replaceAll("]\\([^)]*\\)", "]");
        return SENTENCE_END.splitAsStream(text.strip())
                .map(sentence -> new Sentence(Checkout.name(file), sentence, WORD.matcher(sentence).results().count()))
                .filter(sentence -> sentence.words >= MIN_WORDS);
    }
}
