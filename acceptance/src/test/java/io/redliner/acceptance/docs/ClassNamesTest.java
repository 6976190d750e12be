// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The types that the documents for contributors name exist: a renamed type is renamed there, too. */
class ClassNamesTest {

    /** A name of two humps or more that is no option of a command. */
    private static final Pattern NAME = Pattern.compile("(?<![-+:.\\w])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\\b");

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum|message) (\\w+)");

    /** Products, types of libraries and values that look like types. */
    private static final Set<String> OTHERS = Set.of("RedLiner", "HdrHistogram", "ArchUnit", "NullAway", "NullMarked",
            "InstantSource", "FleetChanged");

    @Test
    void every_type_that_is_named_exists() {
        Set<String> types = Checkout.files(".java", ".proto").stream()
                .flatMap(file -> TYPE.matcher(Checkout.read(file)).results()).map(type -> type.group(1))
                .collect(Collectors.toSet());
        List<String> wrong = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (Path file : documents()) {
            NAME.matcher(Checkout.read(file)).results().map(MatchResult::group).filter(name -> !OTHERS.contains(name))
                    .forEach(name -> {
                        named.add(name);
                        if (!types.contains(name)) {
                            wrong.add(Checkout.name(file) + ": " + name);
                        }
                    });
        }

        assertThat(wrong).isEmpty();
        assertThat(named).hasSizeGreaterThan(200);
    }

    /** Those of contributors, and the READMEs of the modules. */
    private static List<Path> documents() {
        Set<String> names = Set.of("CONTRIBUTING.md", "docs/architecture.md", "docs/promises.md");
        return Checkout.files(".md").stream().filter(file -> names.contains(Checkout.name(file))
                || (file.endsWith("README.md") && Files.exists(file.resolveSibling("pom.xml")))).toList();
    }
}
