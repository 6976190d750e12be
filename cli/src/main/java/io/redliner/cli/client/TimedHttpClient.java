// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An HTTP client whose timeout ends with the last byte of an answer. The timeout of the JDK's client ends with the headers. */
final class TimedHttpClient implements AutoCloseable {

    private final HttpClient client;

    private final Duration timeout;

    /**
     * Creates a client.
     *
     * @param url of the server: the client of an {@code http} address needs no TLS
     * @param timeout of connections, and of requests that have none
     */
    TimedHttpClient(URI url, Duration timeout) {
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout);
        this.client = "http".equals(url.getScheme())
                ? builder.sslContext(new RefusingSslContext()).build()
                : builder.build();
        this.timeout = timeout;
    }

    /**
     * Sends a request, and returns its whole answer.
     *
     * @throws HttpTimeoutException when the answer is not complete within the request's timeout
     */
    <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, handler);
        try {
            return answer.get(request.timeout().orElse(timeout).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException incomplete) {
            HttpTimeoutException late = new HttpTimeoutException("the answer is not complete");
            late.initCause(incomplete);
            throw late;
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    /** Sends a request, and returns its answer as soon as it begins: that of a stream has no end. */
    HttpResponse<InputStream> open(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofInputStream());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
