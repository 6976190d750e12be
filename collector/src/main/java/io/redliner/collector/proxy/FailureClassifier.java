// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPAccessLogEntry;
import io.envoyproxy.envoy.data.accesslog.v3.ResponseFlags;
import io.redliner.collector.window.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * Tells from Envoy's response flags and the status why a request failed. A user who hangs up first is no failure of the
 * instance: the request counts as completed, with the latency until then.
 */
final class FailureClassifier {

    private FailureClassifier() {}

    /**
     * The first cause; null when it did not fail.
     *
     * @param grpcStatus below 0 when it is no gRPC call
     */
    static @Nullable ErrorClass classify(HTTPAccessLogEntry entry, int grpcStatus) {
        ResponseFlags flags = entry.getCommonProperties().getResponseFlags();
        if (timedOut(flags)) {
            return ErrorClass.TIMEOUT;
        }
        if (flags.getUpstreamConnectionFailure() || flags.getDnsResolutionFailure()) {
            return ErrorClass.CONNECT;
        }
        if (broken(flags)) {
            return ErrorClass.RESET;
        }
        if (refused(flags)) {
            return ErrorClass.REFUSED_BY_PROXY;
        }
        // Also with upstream_retry_limit_exceeded, which says nothing of the cause.
        return entry.getResponse().getResponseCode().getValue() >= 500
                ? ErrorClass.SERVER
                : GrpcStatus.error(grpcStatus);
    }

    private static boolean timedOut(ResponseFlags flags) {
        return flags.getUpstreamRequestTimeout() || flags.getStreamIdleTimeout() || flags.getDurationTimeout()
                || flags.getUpstreamMaxStreamDurationReached();
    }

    private static boolean broken(ResponseFlags flags) {
        return flags.getUpstreamRemoteReset() || flags.getLocalReset() || flags.getUpstreamConnectionTermination()
                || flags.getUpstreamProtocolError();
    }

    private static boolean refused(ResponseFlags flags) {
        return flags.getUpstreamOverflow() || flags.getNoHealthyUpstream() || flags.getFailedLocalHealthcheck()
                || flags.getRateLimited() || flags.getRateLimitServiceError() || flags.hasUnauthorizedDetails()
                || flags.getOverloadManager() || flags.getNoRouteFound() || flags.getNoClusterFound()
                || flags.getNoFilterConfigFound() || flags.getFaultInjected();
    }
}
