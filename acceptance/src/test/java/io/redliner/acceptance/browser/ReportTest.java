// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Media;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The report of a run as somebody gets it by mail: a file, opened without a network, and printed. */
@Tag("browser")
class ReportTest {

    /** Sheets in CSS pixels between margins of 15 mm: 180 x 267 mm of A4, 185.9 x 249.4 mm of Letter. */
    private static final Map<String, Look> SHEETS = Map.of("A4", new Look(Look.LIGHT.theme(), 680, 1009), "Letter",
            new Look(Look.LIGHT.theme(), 702, 942));

    private static final List<String> PARTS = List.of("In short", "Answer", "Highlights", "Curve", "Evidence", "Harm",
            "Validity checks",
            "Method");

    @TempDir
    Path folder;

    @RegisterExtension
    final Dashboard dashboard = new Dashboard();

    @RegisterExtension
    final Visits visits = new Visits();

    private Path report() throws IOException {
        return Files.writeString(folder.resolve("report.html"),
                dashboard.orders().send("GET", "/runs/" + dashboard.finishedOnce() + "/report?format=html"));
    }

    @Test
    void shows_everything_from_a_file_with_no_network() throws Exception {
        Path report = report();

        for (Look look : List.of(Look.LIGHT, Look.DARK, Look.PHONE, Look.WALL)) {
            Visitor visitor = visits.visitor(report.toUri(), look);
            visitor.context().setOffline(true);
            Page page = visitor.open("").page();
            assertThat(page.getByRole(AriaRole.HEADING, new GetByRoleOptions().setLevel(2))).hasText(PARTS.toArray(
                    String[]::new));
            assertThat(page.getByText("requests/s").first()).isVisible();
            assertThat(page.getByRole(AriaRole.IMG)).hasCount(6);
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("report");
        }
    }

    @Test
    void is_readable_on_paper_whose_first_sheet_is_the_managers_page() throws Exception {
        Path report = report();
        SHEETS.forEach((format, sheet) -> {
            Visitor visitor = visits.visitor(report.toUri(), sheet);
            Page page = visitor.open("").page();
            page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));

            visitor.assertNoHorizontalScrolling();
            assertThat(page.evaluate(
                    "[...document.querySelectorAll('*')].filter(element => element.scrollWidth > "
                            + "element.clientWidth + 1 && element.clientWidth > 0 && !element.closest('svg')).map(element => element.outerHTML.slice(0, 200))"))
                    .as("what is wider than its place on paper").isEqualTo(List.of());
            assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo("rgb(255, 255, 255)");
            assertThat(page.evaluate("getComputedStyle(document.querySelector('.summary')).breakAfter"))
                    .isEqualTo("page");
            assertThat(((Number) page.evaluate("document.querySelector('.summary').getBoundingClientRect().bottom"))
                    .doubleValue()).as("height of the first page on %s", format).isLessThan(sheet.height());
            byte[] pdf = page.pdf(new Page.PdfOptions().setFormat(format).setPrintBackground(true)
                    .setPath(Path.of("target", "screenshots", "report-" + format + ".pdf")));
            assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
            visitor.screenshot("report-" + format);
        });
    }

    @Test
    void two_runs_are_compared_from_a_file_with_no_network() throws Exception {
        String run = dashboard.finishedOnce();
        String other = dashboard.abortedRun();
        Path file = Files.writeString(folder.resolve("comparison.html"), dashboard.orders().send("GET",
                "/runs/" + run + "/comparison?format=html&with=" + other));

        for (Look look : List.of(Look.LIGHT, Look.DARK, Look.PHONE)) {
            Visitor visitor = visits.visitor(file.toUri(), look);
            visitor.context().setOffline(true);
            Page page = visitor.open("").page();
            assertThat(page.getByText(Pattern.compile("cannot be compared|is not known"))).not().hasCount(0);
            visitor.assertNoHorizontalScrolling();
            visitor.assertAccessible();
            visitor.screenshot("comparison");
        }
    }
}
