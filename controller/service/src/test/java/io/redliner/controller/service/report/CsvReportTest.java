// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReportTest {

    /** As RFC 4180 says. */
    private static List<List<String>> parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            if (quoted && character == '"' && index + 1 < text.length() && text.charAt(index + 1) == '"') {
                cell.append('"');
                index++;
            } else if (character == '"') {
                quoted = !quoted;
            } else if (!quoted && character == ',') {
                row.add(cell.toString());
                cell.setLength(0);
            } else if (!quoted && character == '\r') {
                assertThat(text.charAt(++index)).isEqualTo('\n');
                row.add(cell.toString());
                cell.setLength(0);
                rows.add(row);
                row = new ArrayList<>();
            } else {
                cell.append(character);
            }
        }
        assertThat(row).as("after the last line").isEmpty();
        return rows;
    }

    @Test
    void has_a_row_for_each_window_with_each_rules_value_and_threshold() throws IOException {
        List<List<String>> rows = parse(
                ReportExamples.csv(ReportExamples.windows(3, "latency"), List.of("latency", "fleet-errors")));

        assertThat(rows).hasSize(4);
        assertThat(rows).extracting(List::size).containsOnly(rows.getFirst().size());
        List<String> head = rows.getFirst();
        assertThat(rows.get(1).get(head.indexOf("latency.threshold"))).isEqualTo("0.1");
        assertThat(rows.get(1).get(head.indexOf("fleet-errors.value"))).isEqualTo("0.001");
        assertThat(rows.get(2).get(head.indexOf("sequence"))).isEqualTo("2");
        assertThat(rows.get(2).get(head.indexOf("started_at"))).isEqualTo("2026-01-01T00:00:01Z");
        assertThat(rows.get(1).get(head.indexOf("live"))).isEqualTo("false");
    }

    @Test
    void a_name_is_never_a_formula_and_never_a_cell_of_its_own() throws IOException {
        for (String name : List.of(ReportExamples.HOSTILE, "+1", "-1", "@sum", "\t=1", "a\r\nb,c")) {
            List<List<String>> rows = parse(ReportExamples.csv(ReportExamples.windows(2, name), List.of(name)));

            assertThat(rows).hasSize(3);
            assertThat(rows).extracting(List::size).containsOnly(rows.getFirst().size());
            String reason = rows.get(1).get(rows.getFirst().indexOf("advice_reason"));
            assertThat(reason).endsWith(name);
            assertThat("=+-@\t\r").doesNotContain(reason.substring(0, 1));
            assertThat(rows.getFirst().get(rows.getFirst().size() - 1)).endsWith(name + ".unit");
        }
    }

    @Test
    void a_rule_that_a_window_does_not_have_leaves_its_cells_empty() throws IOException {
        List<List<String>> rows = parse(
                ReportExamples.csv(ReportExamples.windows(1, "latency"), List.of("gone", "latency")));

        assertThat(rows.get(1).get(rows.getFirst().indexOf("gone.value"))).isEmpty();
        assertThat(rows.get(1).get(rows.getFirst().indexOf("latency.value"))).isNotEmpty();
    }
}
