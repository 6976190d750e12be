// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.deque.html.axecore.results.CheckedNode;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Page;
import java.util.List;
import java.util.stream.Collectors;

/** What axe finds in a page against the levels A and AA of WCAG 2.0 to 2.2. */
final class Accessibility {

    private static final List<String> LEVELS = List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa");

    private Accessibility() {}

    static void assertNoViolations(Page page) {
        AxeResults results = new AxeBuilder(page).withTags(LEVELS).analyze();

        assertThat(results.getPasses()).as("rules that axe could check at " + page.url()).isNotEmpty();
        assertThat(results.getViolations().stream().map(Accessibility::text))
                .as("what axe finds at " + page.url() + "\n").isEmpty();
    }

    private static String text(Rule rule) {
        return "\n" + rule.getImpact() + ", " + rule.getId() + ": " + rule.getHelp() + "\n" + rule.getNodes().stream()
                .map(Accessibility::text).collect(Collectors.joining("\n"));
    }

    private static String text(CheckedNode node) {
        return "  " + node.getTarget() + " " + node.getHtml() + "\n    "
                + node.getFailureSummary().replace("\n", "\n    ");
    }
}
