// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of an instance or a group of instances in one window.
 *
 * @param latencyP50 seconds; absent when nothing completed
 * @param latencyP99 seconds; absent when nothing completed
 * @param share measured share of the service's requests that the lease applies to
 * @param shareRequests number of requests on which that share was measured; absent when the analyzer reported none
 * @param gauges other measurements, for peers their mean; empty when nothing was measured or reported
 */
public record TrafficSample(double requestsPerSecond, long completed, long errors, long inFlight,
        @Nullable Double latencyP50, @Nullable Double latencyP99, Share share,
        @Nullable Long shareRequests, List<GaugeSample> gauges) {

    @SuppressWarnings("ConstantValue") // JSON leaves an empty list out.
    public TrafficSample {
        gauges = gauges == null ? List.of() : List.copyOf(gauges);
    }

    /** A sample without requests. */
    public static final TrafficSample NONE = new TrafficSample(0, 0, 0, 0, null, null, Share.NONE, null, List.of());

    /** A sample without the number of requests on which the share was measured. */
    public TrafficSample(double requestsPerSecond, long completed, long errors, long inFlight,
            @Nullable Double latencyP50, @Nullable Double latencyP99, Share share) {
        this(requestsPerSecond, completed, errors, inFlight, latencyP50, latencyP99, share, null, List.of());
    }

    /** A sample without other measurements than those of the requests. */
    public TrafficSample(double requestsPerSecond, long completed, long errors, long inFlight,
            @Nullable Double latencyP50, @Nullable Double latencyP99, Share share, @Nullable Long shareRequests) {
        this(requestsPerSecond, completed, errors, inFlight, latencyP50, latencyP99, share, shareRequests, List.of());
    }

    /** The 95 % interval of the share; absent when the number of its requests was not reported, or is 0. */
    public Optional<ShareInterval> shareInterval() {
        return shareRequests == null || shareRequests <= 0
                ? Optional.empty()
                : Optional.of(ShareInterval.of(share, shareRequests));
    }
}
