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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

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

    /**
     * The TLS context of an HTTP client that never uses TLS, and refuses to. Such a client asks for a context all the same, and
     * the default one reads the JDK's certificates and all cipher suites first.
     */
    private static final class RefusingSslContext extends SSLContext {

        RefusingSslContext() {
            super(new Refusing(), null, "none");
        }

        private static final class Refusing extends SSLContextSpi {

            @Override
            protected void engineInit(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust,
                    @Nullable SecureRandom random) {
                throw noTls();
            }

            @Override
            protected SSLParameters engineGetDefaultSSLParameters() {
                return new SSLParameters();
            }

            @Override
            protected SSLParameters engineGetSupportedSSLParameters() {
                return new SSLParameters();
            }

            @Override
            protected SSLSocketFactory engineGetSocketFactory() {
                throw noTls();
            }

            @Override
            protected SSLServerSocketFactory engineGetServerSocketFactory() {
                throw noTls();
            }

            @Override
            protected SSLEngine engineCreateSSLEngine() {
                throw noTls();
            }

            @Override
            protected SSLEngine engineCreateSSLEngine(String host, int port) {
                throw noTls();
            }

            @Override
            protected SSLSessionContext engineGetServerSessionContext() {
                throw noTls();
            }

            @Override
            protected SSLSessionContext engineGetClientSessionContext() {
                throw noTls();
            }

            private static UnsupportedOperationException noTls() {
                return new UnsupportedOperationException("This client is for plain HTTP");
            }
        }
    }
}
