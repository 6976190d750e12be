// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.http.BoundedHttpClient;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Scrapes over HTTP. No thread waits for an answer, and the size of answers is bounded. */
final class ScrapeClient implements AutoCloseable {

    private static final String SETTING = "redliner.collector.scrape";

    private static final int OK = 200;

    private final ScrapeProperties properties;

    private final BoundedHttpClient client;

    /**
     * Creates a client.
     *
     * @param executor for all work: the network's and reading the answers
     */
    ScrapeClient(ScrapeProperties properties, Executor executor) {
        this.properties = properties;
        this.client = new BoundedHttpClient(SETTING, properties.timeout(), properties.maxBytes().toBytes(),
                properties.credentials(), executor);
    }

    /**
     * Sends one request. The result comes later, or fails with a {@link RequestFailedException}.
     *
     * @param now for samples without a time of their own
     */
    CompletableFuture<ScrapeResult> scrape(URI uri, Instant now) {
        return client.get(uri, ExpositionFormat.ACCEPT, new BoundedHttpClient.Reader<>() {

            @Override
            public void check(int status, HttpHeaders headers) throws RequestFailedException {
                if (status != OK) {
                    throw new RequestFailedException(RequestFailureReason.STATUS,
                            "answers with the status " + status);
                }
                ExpositionFormat.of(headers);
            }

            @Override
            public ScrapeResult read(int status, HttpHeaders headers, byte[] body) throws RequestFailedException {
                return ScrapeClient.read(headers, body, Math.toIntExact(properties.maxBytes().toBytes()),
                        properties.maxSeries(), now);
            }
        });
    }

    @Override
    public void close() {
        client.close();
    }

    /**
     * Reads the answer of an instance.
     *
     * @param maxBytes after decompression
     * @param maxSeries further series are left out
     * @param now for samples without a time of their own
     */
    static ScrapeResult read(HttpHeaders headers, byte[] body, int maxBytes, int maxSeries, Instant now)
            throws RequestFailedException {
        ExpositionFormat format = ExpositionFormat.of(headers);
        byte[] plain = BoundedHttpClient.decompress(SETTING, headers, body, maxBytes);
        ScrapeResult result = new ScrapeResult(maxSeries);
        switch (format) {
            case PROTOBUF -> ProtobufExpositionParser.read(plain, now, result);
            case OPEN_METRICS -> TextExpositionParser.read(plain, true, now, result);
            case TEXT -> TextExpositionParser.read(plain, false, now, result);
        }
        return result;
    }

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

        static ExpositionFormat of(HttpHeaders headers) throws RequestFailedException {
            String contentType = headers.firstValue("content-type").orElse("");
            String type = contentType.toLowerCase(Locale.ROOT).replace(" ", "");
            if (type.startsWith("application/vnd.google.protobuf")
                    && type.contains("proto=io.prometheus.client.metricfamily")
                    && type.contains("encoding=delimited")) {
                return PROTOBUF;
            }
            if (type.startsWith("application/openmetrics-text")) {
                return OPEN_METRICS;
            }
            if (type.startsWith("text/plain")) {
                return TEXT;
            }
            throw new RequestFailedException(RequestFailureReason.CONTENT, "answers with "
                    + (contentType.isEmpty()
                            ? "no content type"
                            : "the content type " + BoundedHttpClient.cut(contentType))
                    + ", which is no metrics for Prometheus; is scrape the address of its metrics?");
        }
    }
}
