// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between documents lead to files and headings that exist, and every document can be reached from the first one. */
class LinksTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");

    @Test
    void links_lead_to_files_and_headings_that_exist() {
        List<String> broken = new ArrayList<>();
        assertThat(Checkout.files(".md")).hasSizeGreaterThan(40);
        for (Path file : Checkout.files(".md")) {
            links(file).filter(link -> !leads(file, link))
                    .forEach(link -> broken.add(Checkout.name(file) + ": " + link));
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void every_document_can_be_reached_from_the_first_one() {
        List<Path> reached = new ArrayList<>(List.of(Checkout.ROOT.resolve("README.md")));
        for (int i = 0; i < reached.size(); i++) {
            Path file = reached.get(i);
            links(file).map(link -> file.resolveSibling(link.replaceAll("#.*", "")).normalize())
                    .filter(other -> other.toString().endsWith(".md") && Files.exists(other)
                            && !reached.contains(other))
                    .forEach(reached::add);
        }

        assertThat(Checkout.files(".md")).filteredOn(file -> !Checkout.name(file).startsWith(".github"))
                .isSubsetOf(reached);
    }

    private static Stream<String> links(Path file) {
        return LINK.matcher(FENCED.matcher(Checkout.read(file)).replaceAll("")).results().map(link -> link.group(1))
                .filter(link -> !link.contains("://") && !link.startsWith("mailto:")).distinct();
    }

    private static boolean leads(Path file, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || headings(target).contains(parts[1]));
    }

    /** The anchors of a document's headings, as forges make them. */
    private static List<String> headings(Path file) {
        return FENCED.matcher(Checkout.read(file)).replaceAll("").lines().filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("]\\([^)]*\\)", "")
                        .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }
}
