// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.scrape.MetricFamilyBuilder.ExpositionSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses Prometheus' text format 0.0.4 and OpenMetrics 1.0. Exemplars are skipped. An answer with one mistake is dropped as a
 * whole, because the rest may be wrong as well.
 */
final class TextExpositionParser {

    private static final double MAX_SECONDS = 1e11;

    private final boolean openMetrics;

    private final ScrapeResult result;

    private final Instant now;

    private final LineCursor cursor;

    private MetricFamilyBuilder family = new MetricFamilyBuilder("", MetricType.UNTYPED, "");

    /** The unit of a family whose samples are still to come. */
    private String unit = "";

    private String unitOf = "";

    private TextExpositionParser(boolean openMetrics, LineCursor cursor, Instant now, ScrapeResult result) {
        this.openMetrics = openMetrics;
        this.cursor = cursor;
        this.now = now;
        this.result = result;
    }

    /**
     * Parses an answer.
     *
     * @param now for samples without a time of their own
     */
    static void read(byte[] text, boolean openMetrics, Instant now, ScrapeResult result)
            throws RequestFailedException {
        new TextExpositionParser(openMetrics, new LineCursor(text), now, result).read();
    }

    private void read() throws RequestFailedException {
        boolean ended = false;
        while (!ended && cursor.next()) {
            cursor.skipBlanks();
            if (cursor.take('#')) {
                ended = comment();
            } else if (!cursor.atEnd()) {
                sample();
            }
        }
        if (openMetrics && !ended) {
            throw RequestFailedException.malformed("the answer was cut off: there is no # EOF at its end");
        }
        family.end(result);
    }

    /** Reads a comment. Returns whether it marks the end of the answer. */
    private boolean comment() throws RequestFailedException {
        cursor.skipBlanks();
        switch (cursor.word()) {
            case "TYPE" -> {
                cursor.skipBlanks();
                String name = cursor.name();
                cursor.skipBlanks();
                begin(new MetricFamilyBuilder(name, MetricType.of(cursor.word()), unitOf.equals(name) ? unit : ""));
            }
            case "UNIT" -> {
                cursor.skipBlanks();
                unitOf = cursor.name();
                cursor.skipBlanks();
                unit = cursor.word();
                if (family.name().equals(unitOf)) {
                    begin(new MetricFamilyBuilder(family.name(), family.type(), unit));
                }
            }
            case "EOF" -> {
                return openMetrics;
            }
            default -> {
                // HELP, or what somebody wanted to say.
            }
        }
        return false;
    }

    private void sample() throws RequestFailedException {
        String name = cursor.name();
        if (!family.has(name)) {
            begin(new MetricFamilyBuilder(name, MetricType.UNTYPED, ""));
        }
        if (!result.admits()) {
            family.cut(result);
            return;
        }
        String suffix = name.substring(family.name().length());
        List<String> labels = new ArrayList<>();
        cursor.skipBlanks();
        if (cursor.take('{')) {
            cursor.labels(labels);
            cursor.skipBlanks();
        }
        double bound = bound(labels, family.boundLabel(suffix));
        double value = cursor.number();
        cursor.skipBlanks();
        Instant time = time();
        family.add(new ExpositionSample(suffix, bound, Labels.of(labels), value, time), result);
    }

    private void begin(MetricFamilyBuilder next) {
        family.end(result);
        family = next;
    }

    private double bound(List<String> labels, String label) throws RequestFailedException {
        if (label.isEmpty()) {
            return Double.NaN;
        }
        for (int at = 0; at < labels.size(); at += 2) {
            if (labels.get(at).equals(label)) {
                double bound = cursor.number(labels.get(at + 1));
                labels.subList(at, at + 2).clear();
                return bound;
            }
        }
        throw cursor.malformed("has no label " + label);
    }

    private Instant time() throws RequestFailedException {
        if (cursor.atEnd() || isExemplar()) {
            return now;
        }
        double given = cursor.number();
        cursor.skipBlanks();
        if (!cursor.atEnd() && !isExemplar()) {
            throw cursor.malformed("has more than a value and a time");
        }
        double seconds = openMetrics ? given : given / 1e3;
        if (!(Math.abs(seconds) < MAX_SECONDS)) {
            throw cursor.malformed("has a time that is none");
        }
        return Instant.ofEpochMilli(Math.round(seconds * 1e3));
    }

    private boolean isExemplar() {
        return openMetrics && cursor.take('#');
    }
}
