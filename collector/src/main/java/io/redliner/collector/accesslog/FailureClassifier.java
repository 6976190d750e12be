// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPResponseProperties;
import io.envoyproxy.envoy.data.accesslog.v3.ResponseFlags;
import io.redliner.collector.windowing.OwnLimits.ProxyLimit;
import io.redliner.collector.windowing.RequestError;
import org.jspecify.annotations.Nullable;

/** Derives from Envoy's response flags and a gRPC call's status why a request failed, and whether the user hung up first. */
final class FailureClassifier {

    static final int SWITCHING_PROTOCOLS = 101;

    private static final String GRPC_STATUS = "grpc-status";

    private FailureClassifier() {}

    /** Returns the first cause; null when the flags name none: then the status of the answer decides. */
    static @Nullable RequestError classify(ResponseFlags flags) {
        if (timedOut(flags)) {
            return RequestError.TIMEOUT;
        }
        if (flags.getUpstreamConnectionFailure() || flags.getDnsResolutionFailure()) {
            return RequestError.CONNECT;
        }
        if (broken(flags)) {
            return RequestError.RESET;
        }
        // Not upstream_retry_limit_exceeded, which says nothing of the cause.
        return refused(flags) ? RequestError.REFUSED_BY_PROXY : null;
    }

    /**
     * Returns the first cause, given the status of the answer: Envoy flags each WebSocket that the server closes as terminated,
     * which is no failure.
     */
    static @Nullable RequestError classify(ResponseFlags flags, int status) {
        RequestError cause = classify(flags);
        return cause == RequestError.RESET && status == SWITCHING_PROTOCOLS && !reset(flags) ? null : cause;
    }

    /** Returns the limit of the proxy that ended the request; null when none did, or one that only the owner sets. */
    static @Nullable ProxyLimit limit(ResponseFlags flags) {
        if (flags.getUpstreamRequestTimeout()) {
            return ProxyLimit.ROUTE_TIMEOUT;
        }
        if (flags.getStreamIdleTimeout()) {
            return ProxyLimit.IDLE_TIMEOUT;
        }
        return flags.getUpstreamOverflow() ? ProxyLimit.CIRCUIT_BREAKER : null;
    }

    /** Returns whether the user hung up, or reset the stream, before the request was over. */
    static boolean isCancelled(ResponseFlags flags) {
        return flags.getDownstreamConnectionTermination() || flags.getDownstreamRemoteReset();
    }

    /**
     * Returns the status of a gRPC call, 0 to 16; below 0 when the request is not a gRPC call, or the status is out of range.
     * Servers send the status in the trailers, or in the headers of an answer without a body. Proxies report both only when
     * configured so ({@code additional_response_trailers_to_log}, {@code additional_response_headers_to_log}).
     */
    static int grpcStatus(HTTPResponseProperties response) {
        int status = -1;
        if (response.getResponseTrailersCount() > 0) {
            status = parse(response.getResponseTrailersOrDefault(GRPC_STATUS, ""));
        }
        if (status < 0 && response.getResponseHeadersCount() > 0) {
            status = parse(response.getResponseHeadersOrDefault(GRPC_STATUS, ""));
        }
        return status;
    }

    private static int parse(String text) {
        return switch (text.length()) {
            case 1 -> digit(text.charAt(0));
            case 2 -> text.charAt(0) == '1' && text.charAt(1) <= '6' && digit(text.charAt(1)) >= 0
                    ? 10 + digit(text.charAt(1))
                    : -1;
            default -> -1;
        };
    }

    private static int digit(char character) {
        return character >= '0' && character <= '9' ? character - '0' : -1;
    }

    private static boolean timedOut(ResponseFlags flags) {
        return flags.getUpstreamRequestTimeout() || flags.getStreamIdleTimeout() || flags.getDurationTimeout()
                || flags.getUpstreamMaxStreamDurationReached();
    }

    private static boolean broken(ResponseFlags flags) {
        return reset(flags) || flags.getUpstreamConnectionTermination();
    }

    private static boolean reset(ResponseFlags flags) {
        return flags.getUpstreamRemoteReset() || flags.getLocalReset() || flags.getUpstreamProtocolError();
    }

    private static boolean refused(ResponseFlags flags) {
        return flags.getUpstreamOverflow() || flags.getNoHealthyUpstream() || flags.getFailedLocalHealthcheck()
                || flags.getRateLimited() || flags.getRateLimitServiceError() || flags.hasUnauthorizedDetails()
                || flags.getOverloadManager() || flags.getNoRouteFound() || flags.getNoClusterFound()
                || flags.getNoFilterConfigFound() || flags.getFaultInjected();
    }
}
