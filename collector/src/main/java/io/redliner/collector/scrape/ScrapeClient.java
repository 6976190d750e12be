// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.scrape.ScrapeFailedException.ScrapeFailureReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;

/** Scrapes over HTTP. No thread waits for an answer, and the size of answers is bounded. */
final class ScrapeClient implements AutoCloseable {

    private static final int AT_ONCE = 4;

    private static final int OK = 200;

    private static final int UNAUTHORIZED = 401;

    private static final int FORBIDDEN = 403;

    private final ScrapeProperties properties;

    private final Executor executor;

    private final HttpClient client;

    /** The bytes of all answers under way together. */
    private final Semaphore budget;

    /**
     * Creates a client.
     *
     * @param executor for all work: the network's and reading the answers
     */
    ScrapeClient(ScrapeProperties properties, Executor executor) {
        this.properties = properties;
        this.executor = executor;
        this.budget = new Semaphore(Math.toIntExact(AT_ONCE * properties.maxBytes().toBytes()));
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(properties.timeout());
        properties.credentials().trust().ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    /**
     * Sends one request. The result comes later, or fails with a {@link ScrapeFailedException}.
     *
     * @param now for samples without a time of their own
     */
    CompletableFuture<ScrapeResult> scrape(URI uri, Instant now) {
        HttpRequest.Builder question = HttpRequest.newBuilder(uri).timeout(properties.timeout())
                .header("Accept", ExpositionFormat.ACCEPT).header("Accept-Encoding", "gzip").GET();
        try {
            properties.credentials().authorization().ifPresent(value -> question.header("Authorization", value));
        } catch (ScrapeFailedException impossible) {
            return CompletableFuture.failedFuture(impossible);
        }
        LimitedBodySubscriber body = new LimitedBodySubscriber(properties.maxBytes().toBytes(), budget);
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(question.build(), info -> wanted(info, body));
        // The request's own timeout ends with the headers; this one counts the body in.
        return answer.copy().orTimeout(properties.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApplyAsync(response -> read(response, now), executor)
                .whenComplete((result, failure) -> {
                    body.close();
                    answer.cancel(true);
                }).exceptionallyCompose(failure -> CompletableFuture.failedFuture(reason(failure)));
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private static LimitedBodySubscriber wanted(ResponseInfo info, LimitedBodySubscriber body) {
        try {
            int status = info.statusCode();
            if (status >= 300 && status < 400) {
                throw new ScrapeFailedException(ScrapeFailureReason.STATUS, "redirects to "
                        + ExpositionFormat.cut(info.headers().firstValue("location").orElse("nowhere"))
                        + "; redirects are not followed");
            }
            if (status != OK) {
                throw new ScrapeFailedException(ScrapeFailureReason.STATUS, "answers with the status " + status
                        + (status == UNAUTHORIZED || status == FORBIDDEN
                                ? "; see redliner.collector.scrape.credentials"
                                : ""));
            }
            ExpositionFormat.of(info.headers());
        } catch (ScrapeFailedException e) {
            body.refuse(e);
        }
        return body;
    }

    private ScrapeResult read(HttpResponse<byte[]> response, Instant now) {
        try {
            return read(response.headers(), response.body(), Math.toIntExact(properties.maxBytes().toBytes()),
                    properties.maxSeries(), now);
        } catch (ScrapeFailedException e) {
            throw new CompletionException(e);
        }
    }

    private ScrapeFailedException reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            Optional<ScrapeFailedException> known = known(cause);
            if (known.isPresent()) {
                return known.get();
            }
        }
        return new ScrapeFailedException(ScrapeFailureReason.UNREACHABLE, "could not be asked: " + failure);
    }

    private Optional<ScrapeFailedException> known(Throwable cause) {
        return Optional.ofNullable(switch (cause) {
            case ScrapeFailedException failure -> failure;
            case TimeoutException late -> timeout();
            case HttpTimeoutException late -> timeout();
            case ConnectException none ->
                new ScrapeFailedException(ScrapeFailureReason.UNREACHABLE, "cannot be reached");
            case IOException broken when !(broken.getCause() instanceof ScrapeFailedException) ->
                new ScrapeFailedException(ScrapeFailureReason.UNREACHABLE,
                        "broke the connection: " + broken.getMessage());
            default -> null;
        });
    }

    private ScrapeFailedException timeout() {
        return new ScrapeFailedException(ScrapeFailureReason.TIMEOUT,
                "did not answer within " + properties.timeout().toMillis() + " ms");
    }

    /**
     * Reads the answer of an instance.
     *
     * @param maxBytes after decompression
     * @param maxSeries further series are left out
     * @param now for samples without a time of their own
     */
    static ScrapeResult read(HttpHeaders headers, byte[] body, int maxBytes, int maxSeries, Instant now)
            throws ScrapeFailedException {
        ExpositionFormat format = ExpositionFormat.of(headers);
        String encoding = headers.firstValue("content-encoding").orElse("identity");
        byte[] plain = switch (encoding) {
            case "identity", "" -> body;
            case "gzip", "x-gzip" -> unzip(body, maxBytes);
            default -> throw new ScrapeFailedException(ScrapeFailureReason.CONTENT,
                    "answers in an encoding that was not asked for; gzip was");
        };
        ScrapeResult result = new ScrapeResult(maxSeries);
        switch (format) {
            case PROTOBUF -> ProtobufExpositionParser.read(plain, now, result);
            case OPEN_METRICS -> TextExpositionParser.read(plain, true, now, result);
            case TEXT -> TextExpositionParser.read(plain, false, now, result);
        }
        return result;
    }

    private static byte[] unzip(byte[] body, int maxBytes) throws ScrapeFailedException {
        byte[] plain;
        try (GZIPInputStream input = new GZIPInputStream(new ByteArrayInputStream(body))) {
            plain = input.readNBytes(maxBytes + 1);
        } catch (IOException e) {
            throw ScrapeFailedException.malformed("its answer is no gzip, or was cut off: " + e.getMessage());
        }
        if (plain.length > maxBytes) {
            throw new ScrapeFailedException(ScrapeFailureReason.TOO_LARGE, "its answer is larger than " + maxBytes
                    + " bytes when it is decompressed; see redliner.collector.scrape.max-bytes");
        }
        return plain;
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

        static ExpositionFormat of(HttpHeaders headers) throws ScrapeFailedException {
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
            throw new ScrapeFailedException(ScrapeFailureReason.CONTENT, "answers with "
                    + (contentType.isEmpty() ? "no content type" : "the content type " + cut(contentType))
                    + ", which is no metrics for Prometheus; is scrape the address of its metrics?");
        }

        /** Cuts a text to a length that fits a line. */
        static String cut(String text) {
            return text.length() > 80 ? text.substring(0, 80) + "..." : text;
        }
    }
}
