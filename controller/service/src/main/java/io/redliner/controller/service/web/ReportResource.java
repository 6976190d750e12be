// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.UnreadableRowException;
import io.redliner.controller.service.persistence.WindowSums;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.report.CsvReport;
import io.redliner.controller.service.report.HtmlReport;
import io.redliner.controller.service.report.JsonReport;
import io.redliner.controller.service.report.JunitReport;
import io.redliner.controller.service.report.RunReport;
import io.redliner.controller.service.report.WindowSummary;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;

/** Reports of runs, of every outcome and of live ones. */
@RestController
@RequestMapping("/api/v1/runs")
class ReportResource {

    /** Windows in memory at once. */
    private static final int BATCH = 500;

    private final RunReadRepository runs;

    private final ReportAssembler assembler;

    private final WindowSums sums;

    ReportResource(RunReadRepository runs, ReportAssembler assembler, WindowSums sums) {
        this.sums = sums;
        this.runs = runs;
        this.assembler = assembler;
    }

    @GetMapping("/{id}/report")
    void report(@PathVariable String id, @RequestParam(name = "format", required = false) @Nullable String word,
            @RequestHeader(name = "Accept", required = false) @Nullable String accept, HttpServletResponse response)
            throws IOException, HttpMediaTypeNotAcceptableException {
        ReportFormat format = word == null
                ? accepted(accept)
                : ReportFormat.of(word).orElseThrow(() -> unknown(word));
        try {
            StoredRun run = runs.find(id)
                    .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no run " + id));
            requireDetails(id);
            HeldBack heldBack = new HeldBack(response, headers(run, format));
            Writer out = new BufferedWriter(new OutputStreamWriter(heldBack, StandardCharsets.UTF_8));
            write(run, format, out);
            out.flush();
            heldBack.finish();
        } catch (JacksonException | UnreadableRowException unreadable) {
            if (response.isCommitted()) {
                throw unreadable;
            }
            throw new ProblemException(ProblemType.RUN_UNREADABLE,
                    "what is stored of run " + id + " cannot be read, so there is no report of it").with("runId", id);
        }
    }

    /** A report of no windows would say that nothing was broken. */
    private void requireDetails(String id) {
        if (runs.detailsRemoved(id)) {
            throw new ProblemException(ProblemType.DETAILS_REMOVED, "the windows of run " + id
                    + " were kept long enough (redliner.controller.retention.run-details) and removed, so there is no"
                    + " report of it any more").with("runId", id);
        }
    }

    private void write(StoredRun run, ReportFormat format, Writer out) throws IOException {
        if (format == ReportFormat.CSV) {
            new CsvReport(out, rules(run)).write(run.id(), !(run.state() instanceof RunState.Finished),
                    windows(run.id()));
            return;
        }
        WindowSummary summary = sums.summary(run);
        RunReport report = assembler.report(run, summary);
        switch (format) {
            case JSON -> JsonReport.write(report, out);
            case HTML -> HtmlReport.write(report, ReportAssembler.certainty(run), assembler.need(run), summary, out);
            case JUNIT -> JunitReport.write(report, out);
            case CSV -> throw new IllegalStateException("written above");
        }
    }

    /** Returns the plan's; those of a run that was stored without a readable plan, as its first window has them. */
    private List<String> rules(StoredRun run) {
        List<String> names = new ArrayList<>(ReportedPlan.of(run.plan().json()).rules());
        runs.everyWindow(run.id(), 0, 1)
                .forEach(window -> Stream.concat(window.verdict().sla().stream(), window.verdict().guards().stream())
                        .filter(rule -> !names.contains(rule.name()))
                        .forEach(rule -> names.add(rule.name())));
        return names;
    }

    private Stream<JudgedWindow> windows(String runId) {
        return Stream.iterate(runs.everyWindow(runId, 0, BATCH), batch -> !batch.isEmpty(),
                batch -> runs.everyWindow(runId, batch.getLast().verdict().sequence(), BATCH)).flatMap(List::stream);
    }

    private static Map<String, String> headers(StoredRun run, ReportFormat format) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", format.contentType());
        headers.put("Vary", "Accept");
        if (!(run.state() instanceof RunState.Finished)) {
            headers.put("Cache-Control", "no-store");
        }
        if (format == ReportFormat.HTML) {
            headers.put("Content-Security-Policy", HtmlReport.contentSecurityPolicy());
        }
        String extension = format == ReportFormat.JUNIT ? "xml" : format.wireName();
        headers.put("Content-Disposition", (format == ReportFormat.CSV ? "attachment" : "inline")
                + "; filename=\"redliner-" + run.id().replaceAll("[^A-Za-z0-9-]", "_") + "." + extension + "\"");
        return headers;
    }

    private static ReportFormat accepted(@Nullable String accept) throws HttpMediaTypeNotAcceptableException {
        try {
            List<MediaType> types = MediaType.parseMediaTypes(accept);
            MimeTypeUtils.sortBySpecificity(types);
            return ReportFormat.accepted(types)
                    .orElseThrow(() -> new HttpMediaTypeNotAcceptableException(
                            "reports are JSON, HTML, XML (JUnit) or CSV"));
        } catch (InvalidMediaTypeException malformed) {
            throw new HttpMediaTypeNotAcceptableException("the Accept header cannot be understood");
        }
    }

    private static ProblemException unknown(String word) {
        return RequestParameters.refuse("format", "there is no report format " + word)
                .with("known", Stream.of(ReportFormat.values()).map(ReportFormat::wireName).toList());
    }

    /** The formats of reports. */
    enum ReportFormat {

        JSON("application/json", "application/json"), HTML("text/html;charset=UTF-8", "text/html"), JUNIT(
                "application/xml;charset=UTF-8", "text/xml"), CSV("text/csv;charset=UTF-8;header=present", "text/csv");

        private final String contentType;

        private final String parameter;

        ReportFormat(String contentType, String parameter) {
            this.contentType = contentType;
            this.parameter = parameter;
        }

        String contentType() {
            return contentType;
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<ReportFormat> of(String word) {
            return Stream.of(values()).filter(format -> format.wireName().equals(word)).findFirst();
        }

        /** Returns the first format that the request accepts; JSON when it accepts any. */
        static Optional<ReportFormat> accepted(List<MediaType> accepted) {
            for (MediaType type : accepted) {
                for (ReportFormat format : values()) {
                    if (type.includes(MediaType.parseMediaType(format.parameter))
                            || type.includes(MediaType.parseMediaType(format.contentType))) {
                        return Optional.of(format);
                    }
                }
            }
            return accepted.isEmpty() ? Optional.of(JSON) : Optional.empty();
        }
    }

    /**
     * The body of an answer whose beginning is held back. Until {@value #MAX_BYTES} bytes are there the answer is untouched, so that
     * a failure can still be answered with a problem. After that, bytes go out as they are written.
     */
    private static final class HeldBack extends OutputStream {

        static final int MAX_BYTES = 64 * 1024;

        private final HttpServletResponse response;

        private final Map<String, String> headers;

        private final ByteArrayOutputStream held = new ByteArrayOutputStream();

        private boolean begun;

        HeldBack(HttpServletResponse response, Map<String, String> headers) {
            this.response = response;
            this.headers = headers;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[]{(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!begun && held.size() + length <= MAX_BYTES) {
                held.write(bytes, offset, length);
                return;
            }
            begin();
            response.getOutputStream().write(bytes, offset, length);
        }

        /** Sends the answer. To be called only when all of it was written. */
        void finish() throws IOException {
            begin();
            response.flushBuffer();
        }

        private void begin() throws IOException {
            if (!begun) {
                begun = true;
                headers.forEach(response::setHeader);
                held.writeTo(response.getOutputStream());
                held.reset();
            }
        }
    }
}
