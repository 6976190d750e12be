// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.redliner.controller.core.notification.RetryPolicy.DeliveryResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts to addresses that need not be trusted. Only the status of the answer counts: no body is read, no redirect is followed, each
 * request has its own connection, and a request is cancelled when its timeout is over.
 */
final class NotificationHttpClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationHttpClient.class);

    private static final int MAX_LINE = 8192;

    private static final int MAX_HEADERS = 100;

    private final Duration timeout;

    private final InstantSource clock;

    private final CloseableHttpClient anyAddressClient;

    private final CloseableHttpClient publicAddressClient;

    private final ScheduledExecutorService timeoutWatch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("controller-notify-watch").factory());

    NotificationHttpClient(Duration timeout, int concurrency, InstantSource clock) {
        this.timeout = timeout;
        this.clock = clock;
        this.anyAddressClient = client(new EgressDnsResolver(true), timeout, concurrency);
        this.publicAddressClient = client(new EgressDnsResolver(false), timeout, concurrency);
    }

    private static CloseableHttpClient client(EgressDnsResolver resolver, Duration timeout, int concurrency) {
        Timeout responseTimeout = Timeout.of(timeout);
        Http1Config bounds = Http1Config.custom()
                .setMaxLineLength(MAX_LINE)
                .setMaxHeaderCount(MAX_HEADERS)
                .setMaxEmptyLineCount(10)
                .build();
        PoolingHttpClientConnectionManager connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(resolver)
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder().http1Config(bounds).build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(responseTimeout)
                        .setSocketTimeout(responseTimeout)
                        .build())
                .setMaxConnTotal(concurrency)
                .setMaxConnPerRoute(concurrency)
                .build();
        return HttpClients.custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(responseTimeout)
                        .setConnectionRequestTimeout(responseTimeout)
                        .build())
                .setConnectionReuseStrategy((request, response, context) -> false)
                .setUserAgent("RedLiner")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .build();
    }

    /** Posts JSON. The message of a failure contains the host and no other part of the address. */
    DeliveryResult post(URI url, Map<String, String> headers, byte[] body, boolean privateAllowed) {
        HttpPost request = new HttpPost(url);
        headers.forEach(request::setHeader);
        request.setEntity(new ByteArrayEntity(body, ContentType.create("application/json")));
        Future<?> end = timeoutWatch.schedule(() -> cancel(request), timeout.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return classify(request,
                    (privateAllowed ? anyAddressClient : publicAddressClient).executeOpen(null, request, null));
        } catch (AddressRefusedException refused) {
            return new DeliveryResult.Refused(String.valueOf(refused.getMessage()));
        } catch (IOException failure) {
            LOG.debug("posting to {} failed", url.getHost(), failure);
            return DeliveryResult.Failed.because(describe(request, url.getHost(), failure));
        } catch (RuntimeException mistake) {
            LOG.debug("posting to {} failed", url.getHost(), mistake);
            return DeliveryResult.Failed.because("could not be sent to host " + url.getHost() + ": "
                    + mistake.getClass().getSimpleName());
        } finally {
            end.cancel(false);
        }
    }

    /**
     * Classifies an answer. It cancels the request before it closes the answer, because closing would read an endless body to its
     * end.
     */
    private DeliveryResult classify(HttpPost request, ClassicHttpResponse response) {
        DeliveryResult result = HttpResponseClassifier.judge(response, clock.instant());
        cancel(request);
        try {
            response.close();
        } catch (IOException cut) {
            LOG.trace("an answer was not read to its end", cut);
        }
        return result;
    }

    private static void cancel(HttpPost request) {
        boolean ended = request.cancel();
        LOG.trace("a connection was cut: {}", ended);
    }

    private String describe(HttpPost request, String host, IOException failure) {
        if (request.isCancelled() || failure instanceof InterruptedIOException) {
            return "host " + host + " did not answer within " + timeout.toMillis() + " ms";
        }
        return switch (failure) {
            case UnknownHostException ignored -> "host " + host + " is unknown";
            case ConnectException ignored -> "host " + host + " takes no connection";
            case SSLException ignored -> "host " + host + " could not be trusted, or does not speak TLS";
            default -> "host " + host + " did not answer as it should: " + failure.getClass().getSimpleName();
        };
    }

    /** Closes the clients, and ends the requests in flight. */
    @Override
    public void close() throws IOException {
        timeoutWatch.shutdownNow();
        anyAddressClient.close();
        publicAddressClient.close();
    }

    /**
     * Resolves hosts for the connection that is about to be made, and refuses addresses that {@link EgressPolicy} rejects. The
     * connection uses the checked address, so changing the DNS record in between (DNS rebinding) has no effect.
     */
    static final class EgressDnsResolver implements DnsResolver {

        private final DnsResolver resolver;

        private final boolean privateAllowed;

        EgressDnsResolver(boolean privateAllowed) {
            this(SystemDefaultDnsResolver.INSTANCE, privateAllowed);
        }

        EgressDnsResolver(DnsResolver resolver, boolean privateAllowed) {
            this.resolver = resolver;
            this.privateAllowed = privateAllowed;
        }

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            InetAddress[] addresses = resolver.resolve(host);
            for (InetAddress address : addresses) {
                Optional<String> objection = EgressPolicy.objection(address, privateAllowed);
                if (objection.isPresent()) {
                    throw new AddressRefusedException("host " + host + " has an address that nothing is sent to ("
                            + objection.get() + ")");
                }
            }
            return addresses;
        }

        @Override
        public String resolveCanonicalHostname(String host) throws UnknownHostException {
            return resolver.resolveCanonicalHostname(host);
        }
    }

    /** A host has an address that nothing is sent to. */
    static final class AddressRefusedException extends UnknownHostException {

        @Serial
        private static final long serialVersionUID = 1;

        AddressRefusedException(String message) {
            super(message);
        }
    }

    /** Finds out from a receiver's HTTP response whether a message was delivered, and whether another attempt may succeed. */
    private static final class HttpResponseClassifier {

        private static final int GONE = 410;

        private static final int TOO_MANY = 429;

        /** Request timeout, too early, too many requests: another attempt may be taken. */
        private static final Set<Integer> MAY_PASS = Set.of(408, 425, TOO_MANY);

        private static final int UNAVAILABLE = 503;

        private HttpResponseClassifier() {}

        static DeliveryResult judge(HttpResponse response, Instant now) {
            int status = response.getCode();
            if (status >= 200 && status < 300) {
                return new DeliveryResult.Delivered();
            }
            if (status == GONE) {
                return new DeliveryResult.Refused("answered 410, gone for good");
            }
            if (status >= 300 && status < 400) {
                return new DeliveryResult.Rejected("answered " + status + "; redirects are not followed");
            }
            if (status >= 400 && status < 500 && !MAY_PASS.contains(status)) {
                return new DeliveryResult.Rejected("answered " + status);
            }
            boolean retryAfterAllowed = status == TOO_MANY || status == UNAVAILABLE;
            return new DeliveryResult.Failed("answered " + status,
                    retryAfterAllowed ? retryAfter(response.getFirstHeader("Retry-After"), now) : null);
        }

        /** Seconds or a date (RFC 9110, 10.2.3); absent when it is neither, or in the past. */
        private static @Nullable Duration retryAfter(@Nullable Header header, Instant now) {
            String value = header == null || header.getValue() == null ? "" : header.getValue().strip();
            Duration pause;
            if (value.matches("\\d{1,9}")) {
                pause = Duration.ofSeconds(Long.parseLong(value));
            } else {
                try {
                    pause = Duration.between(now, DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from));
                } catch (DateTimeParseException neither) {
                    return null;
                }
            }
            return pause.isPositive() ? pause : null;
        }
    }
}
