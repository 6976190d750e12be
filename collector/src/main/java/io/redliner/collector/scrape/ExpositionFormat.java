// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.net.http.HttpHeaders;
import java.util.Locale;

/** The format of an answer, by its content type. */
enum ExpositionFormat {

    PROTOBUF, OPEN_METRICS, TEXT;

    /**
     * The formats that a request accepts: protobuf first, because only there are native histograms and the times at which
     * counters began.
     */
    static final String ACCEPT = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
            + "encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,"
            + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

    static ExpositionFormat of(HttpHeaders headers) throws ScrapeFailedException {
        String contentType = headers.firstValue("content-type").orElse("");
        String type = contentType.toLowerCase(Locale.ROOT).replace(" ", "");
        if (type.startsWith("application/vnd.google.protobuf")
                && type.contains("proto=io.prometheus.client.metricfamily") && type.contains("encoding=delimited")) {
            return PROTOBUF;
        }
        if (type.startsWith("application/openmetrics-text")) {
            return OPEN_METRICS;
        }
        if (type.startsWith("text/plain")) {
            return TEXT;
        }
        throw new ScrapeFailedException(ScrapeFailureReason.CONTENT, "answers with "
                + (contentType.isEmpty() ? "no content type" : "the content type " + cut(contentType))
                + ", which is no metrics for Prometheus; is scrape the address of its metrics?");
    }

    /** Cuts a text to a length that fits a line. */
    static String cut(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "..." : text;
    }
}
