// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.http;

import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;

/** Sends GET requests. No thread waits for an answer, and the time and the size of answers are bounded. */
public final class BoundedHttpClient implements AutoCloseable {

    private static final int AT_ONCE = 4;

    private static final int UNAUTHORIZED = 401;

    private static final int FORBIDDEN = 403;

    private static final int MAX_SHOWN = 80;

    private final String setting;

    private final Duration timeout;

    private final int maxBytes;

    private final HttpCredentials credentials;

    private final Executor executor;

    private final HttpClient client;

    /** The bytes of all answers under way together. */
    private final Semaphore budget;

    /**
     * Creates a client.
     *
     * @param setting the prefix of the settings that messages name, such as {@code redliner.collector.scrape}
     * @param timeout for connecting and for a whole answer
     * @param maxBytes of one answer; all answers under way together may be four times as large
     * @param executor for all work: the network's and reading the answers
     */
    public BoundedHttpClient(String setting, Duration timeout, long maxBytes, HttpCredentials credentials,
            Executor executor) {
        this.setting = setting;
        this.timeout = timeout;
        this.maxBytes = Math.toIntExact(maxBytes);
        this.credentials = credentials;
        this.executor = executor;
        this.budget = new Semaphore(Math.toIntExact(AT_ONCE * maxBytes));
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(timeout);
        credentials.trust(setting).ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    /** Reads the answers to requests. */
    public interface Reader<T> {

        /** Throws when the status or the headers already show that the body is of no use. */
        void check(int status, HttpHeaders headers) throws RequestFailedException;

        /** Reads an answer whose body may be compressed, see {@link BoundedHttpClient#decompress}. */
        T read(int status, HttpHeaders headers, byte[] body) throws RequestFailedException;
    }

    /**
     * Sends one request. The result comes later, or fails with a {@link RequestFailedException}.
     *
     * @param accept the content types of answers
     */
    public <T> CompletableFuture<T> get(URI uri, String accept, Reader<T> reader) {
        HttpRequest.Builder question = HttpRequest.newBuilder(uri).timeout(timeout).header("Accept", accept)
                .header("Accept-Encoding", "gzip").GET();
        try {
            credentials.authorization().ifPresent(value -> question.header("Authorization", value));
        } catch (RequestFailedException impossible) {
            return CompletableFuture.failedFuture(impossible);
        }
        LimitedBodySubscriber body = new LimitedBodySubscriber(setting, maxBytes, budget);
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(question.build(),
                info -> checked(info, reader, body));
        // The request's own timeout ends with the headers; this one counts the body in.
        return answer.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .thenApplyAsync(response -> read(response, reader), executor)
                .whenComplete((result, failure) -> {
                    body.close();
                    answer.cancel(true);
                }).exceptionallyCompose(failure -> CompletableFuture.failedFuture(reason(failure)));
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private LimitedBodySubscriber checked(ResponseInfo info, Reader<?> reader, LimitedBodySubscriber body) {
        try {
            int status = info.statusCode();
            if (status >= 300 && status < 400) {
                throw new RequestFailedException(RequestFailureReason.STATUS, "redirects to "
                        + cut(info.headers().firstValue("location").orElse("nowhere"))
                        + "; redirects are not followed");
            }
            if (status == UNAUTHORIZED || status == FORBIDDEN) {
                throw new RequestFailedException(RequestFailureReason.STATUS,
                        "answers with the status " + status + "; see " + setting + ".credentials");
            }
            reader.check(status, info.headers());
        } catch (RequestFailedException e) {
            body.refuse(e);
        }
        return body;
    }

    private static <T> T read(HttpResponse<byte[]> response, Reader<T> reader) {
        try {
            return reader.read(response.statusCode(), response.headers(), response.body());
        } catch (RequestFailedException e) {
            throw new CompletionException(e);
        }
    }

    private RequestFailedException reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            Optional<RequestFailedException> known = known(cause);
            if (known.isPresent()) {
                return known.get();
            }
        }
        return new RequestFailedException(RequestFailureReason.UNREACHABLE, "could not be asked: " + failure);
    }

    private Optional<RequestFailedException> known(Throwable cause) {
        return Optional.ofNullable(switch (cause) {
            case RequestFailedException failure -> failure;
            case TimeoutException late -> late();
            case HttpTimeoutException late -> late();
            case ConnectException none ->
                new RequestFailedException(RequestFailureReason.UNREACHABLE, "cannot be reached");
            case IOException broken when !(broken.getCause() instanceof RequestFailedException) ->
                new RequestFailedException(RequestFailureReason.UNREACHABLE,
                        "broke the connection: " + broken.getMessage());
            default -> null;
        });
    }

    private RequestFailedException late() {
        return new RequestFailedException(RequestFailureReason.TIMEOUT,
                "did not answer within " + timeout.toMillis() + " ms");
    }

    /**
     * Returns the body as it was before compression.
     *
     * @param setting the prefix of the settings that messages name
     * @param maxBytes after decompression
     * @throws RequestFailedException when it is in another encoding than gzip, cut off or too large
     */
    public static byte[] decompress(String setting, HttpHeaders headers, byte[] body, int maxBytes)
            throws RequestFailedException {
        return switch (headers.firstValue("content-encoding").orElse("identity")) {
            case "identity", "" -> body;
            case "gzip", "x-gzip" -> unzip(setting, body, maxBytes);
            default -> throw new RequestFailedException(RequestFailureReason.CONTENT,
                    "answers in an encoding that was not asked for; gzip was");
        };
    }

    private static byte[] unzip(String setting, byte[] body, int maxBytes) throws RequestFailedException {
        byte[] plain;
        try (GZIPInputStream input = new GZIPInputStream(new ByteArrayInputStream(body))) {
            plain = input.readNBytes(maxBytes + 1);
        } catch (IOException e) {
            throw RequestFailedException.malformed("its answer is no gzip, or was cut off: " + e.getMessage());
        }
        if (plain.length > maxBytes) {
            throw new RequestFailedException(RequestFailureReason.TOO_LARGE, "its answer is larger than " + maxBytes
                    + " bytes when it is decompressed; see " + setting + ".max-bytes");
        }
        return plain;
    }

    /** Cuts a text of others to a length that fits a line, with blanks in place of control characters. */
    public static String cut(String text) {
        return (text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text)
                .replaceAll("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", " ");
    }
}
