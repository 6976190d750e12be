// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ValidityExplanationsTest {

    private static final Path CHECKS = Path.of("..", "..", "docs", "analysis", "validity.md");

    @Test
    void each_check_that_the_documents_list_is_explained_in_two_sentences() throws IOException {
        List<String> checks = Pattern.compile("^\\| `([a-z-]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(CHECKS)).results().map(row -> row.group(1)).toList();

        assertThat(checks).hasSize(21).allSatisfy(check -> assertThat(
                ValidityExplanations.of(check)).as(check).matches("[^.]+\\. [^.]+\\."));
    }

    @Test
    void a_check_of_a_newer_analyzer_has_no_explanation() {
        assertThat(ValidityExplanations.of("newer")).isEmpty();
    }
}
