// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.ShareInterval;
import io.redliner.controller.core.run.WindowVerdict;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row per window, with every rule's value and threshold, in the format of RFC 4180: CRLF, and quotes where needed. A text that
 * a spreadsheet would take for a formula gets an apostrophe before it; numbers are written as they are. Nothing is kept between
 * rows.
 */
public final class CsvReport {

    private static final List<String> COLUMNS = List.of("run", "live", "sequence", "started_at", "length_seconds",
            "phase", "judgement", "share_asked", "share_measured", "share_low", "share_high", "requests_per_second",
            "service_requests_per_second", "completed", "errors", "in_flight", "latency_p50_seconds",
            "latency_p99_seconds", "harm_requests", "harm_anyway_requests", "step", "advice",
            "advice_target_requests_per_second", "advice_reason");

    private final Writer writer;

    private final List<String> rules;

    /**
     * Creates a report that is written to {@code writer}.
     *
     * @param rules names of the plan's rules, in the order of their columns
     */
    public CsvReport(Writer writer, Collection<String> rules) {
        this.writer = writer;
        this.rules = List.copyOf(rules);
    }

    /**
     * Writes head and rows.
     *
     * @param live whether more windows will come
     * @param windows in order, however many there are: they are never all in memory at once
     * @throws IOException when the client has closed the connection
     */
    public void write(String runId, boolean live, Stream<JudgedWindow> windows) throws IOException {
        List<String> head = new ArrayList<>(COLUMNS);
        for (String rule : rules) {
            Stream.of("judgement", "value", "threshold", "unit").map(part -> text(rule + "." + part))
                    .forEach(head::add);
        }
        row(head);
        for (Iterator<JudgedWindow> each = windows.iterator(); each.hasNext();) {
            row(cells(runId, live, each.next()));
        }
    }

    private List<String> cells(String runId, boolean live, JudgedWindow window) {
        WindowVerdict verdict = window.verdict();
        TrafficSample sut = verdict.sut();
        ShareInterval interval = sut.shareInterval().orElse(null);
        List<String> cells = new ArrayList<>(List.of(text(runId), Boolean.toString(live),
                Long.toString(verdict.sequence()), verdict.windowStart().toString(),
                number(verdict.windowLength().toMillis() / 1000.0), text(window.phase()), verdict.judgement().name(),
                number(window.asked().ratio()), number(sut.share().ratio()),
                number(interval == null ? null : interval.low()),
                number(interval == null ? null : interval.high()), number(sut.requestsPerSecond()),
                number(verdict.serviceRequestsPerSecond()), Long.toString(sut.completed()),
                Long.toString(sut.errors()), Long.toString(sut.inFlight()), number(sut.latencyP50()),
                number(sut.latencyP99()), number(window.harm()), Long.toString(verdict.brokenAnyway(window.harm())),
                Integer.toString(verdict.advice().step()),
                verdict.advice().action().name(), number(verdict.advice().targetRequestsPerSecond()),
                text(verdict.advice().reason())));
        Map<String, RuleResult> resultsByRule = new HashMap<>();
        Stream.concat(verdict.sla().stream(), verdict.guards().stream())
                .forEach(rule -> resultsByRule.put(rule.name(), rule));
        for (String name : rules) {
            RuleResult rule = resultsByRule.get(name);
            cells.add(rule == null ? "" : rule.judgement().name());
            cells.add(number(rule == null ? null : rule.value()));
            cells.add(number(rule == null ? null : rule.threshold()));
            cells.add(rule == null ? "" : text(rule.unit()));
        }
        return cells;
    }

    private static String number(@Nullable Double number) {
        return number == null || !Double.isFinite(number) ? "" : number.toString();
    }

    /** See OWASP, CSV Injection. */
    private static String text(String text) {
        return !text.isEmpty() && "=+-@\t\r\n".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }

    private void row(List<String> cells) throws IOException {
        String separator = "";
        for (String cell : cells) {
            writer.append(separator);
            separator = ",";
            if (cell.chars().anyMatch(character -> ",\"\r\n".indexOf(character) >= 0)) {
                writer.append('"').append(cell.replace("\"", "\"\"")).append('"');
            } else {
                writer.append(cell);
            }
        }
        writer.append("\r\n");
    }
}
