// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.NumberText;
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

    /** Name of the gauge in reports of collectors. */
    private static final String CPU = "cpu";

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

    /** CPU as a part of all that the SUT may use; null when it was not measured. */
    @Nullable
    Double cpu() {
        return gauges.stream().filter(gauge -> gauge.name().equals(CPU)).map(GaugeSample::value).findFirst()
                .orElse(null);
    }

    /** Returns the 95 % interval of the share; absent when the number of its requests was not reported, or is 0. */
    public Optional<ShareInterval> shareInterval() {
        return shareRequests == null || shareRequests <= 0
                ? Optional.empty()
                : Optional.of(ShareInterval.of(share, shareRequests));
    }

    /**
     * A measurement other than those of requests: CPU, garbage collections, sockets and the like. Only a recheck's answer depends
     * on one of them, CPU.
     *
     * @param name as collectors report it
     * @param value finite
     * @param unit as of {@link RuleResult}; empty when the name tells the unit
     */
    public record GaugeSample(String name, double value, String unit) {}

    /**
     * The 95 % confidence interval of a share that was measured on some requests: the score interval of E. B. Wilson, Probable
     * Inference, the Law of Succession, and Statistical Inference, Journal of the American Statistical Association 22 (1927),
     * p. 209-212. With the measured share p of n requests and z = 1.96 it is
     *
     * <pre>
     * (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)
     * </pre>
     *
     * It stays within 0 and 1, and is valid for few requests and for shares near 0, too.
     *
     * @param low ratio
     * @param high ratio
     */
    public record ShareInterval(double low, double high) {

        /** The standard normal distribution has 95 % between -Z and Z. */
        private static final double Z = 1.959963984540054;

        static ShareInterval of(Share share, long requests) {
            if (requests <= 0) {
                throw new IllegalArgumentException("a share of " + requests + " requests");
            }
            double p = share.ratio();
            double z2 = Z * Z / requests;
            double half = Z * Math.sqrt(p * (1 - p) / requests + z2 / (4.0 * requests));
            double whole = 1 + z2;
            return new ShareInterval(Math.max(0, (p + z2 / 2 - half) / whole),
                    Math.min(1, (p + z2 / 2 + half) / whole));
        }

        /** Returns the interval in percent, for people. */
        String describe() {
            return NumberText.brief(100 * low) + "% to " + NumberText.brief(100 * high) + "%";
        }
    }
}
