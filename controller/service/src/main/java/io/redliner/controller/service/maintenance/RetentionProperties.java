// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.maintenance;

import io.redliner.controller.service.persistence.RetainedData;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of how long data is kept; 0 keeps it for ever.
 *
 * @param keys of requests for runs, so that a repeated one is known for one; never less than a minute
 * @param firings outcomes of firings, counted from the last attempt
 * @param deployments from when they were received; one that is reported again later is a new one
 * @param audit entries of the audit log
 * @param runDetails journal and windows of runs, from their end; without them there is no replay and no report. From 60 days on
 *            they go by whole months (UTC), when all runs of a month have been over for so long
 * @param services of which no redirector has said anything, unless a run is live on them; long enough for one that went on a Friday
 *            to be seen on Monday
 * @param every how often is looked
 */
@ConfigurationProperties("redliner.controller.retention")
record RetentionProperties(@DefaultValue("1d") Duration keys, @DefaultValue("90d") Duration firings,
        @DefaultValue("400d") Duration deployments, @DefaultValue("400d") Duration audit,
        @DefaultValue("400d") Duration runDetails, @DefaultValue("7d") Duration services,
        @DefaultValue("10m") Duration every) {

    private static final Duration MIN_DURATION = Duration.ofMinutes(1);

    /** A hundred years. */
    private static final Duration MAX_DURATION = Duration.ofDays(36_525);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException for a time that is neither 0 nor between a minute and a hundred years
     */
    RetentionProperties {
        if (Stream.of(keys, firings, deployments, audit, runDetails, services).anyMatch(time -> !sensible(time))
                || !every.isPositive()) {
            throw new IllegalArgumentException("redliner.controller.retention: times are 0, for ever, or between a"
                    + " minute and a hundred years; every is above 0");
        }
    }

    private static boolean sensible(Duration time) {
        return time.isZero() || (time.compareTo(MIN_DURATION) >= 0 && time.compareTo(MAX_DURATION) <= 0);
    }

    /** Returns how long the kind is kept, 0 for ever. */
    Duration of(RetainedData kind) {
        return switch (kind) {
            case KEYS -> keys;
            case FIRINGS -> firings;
            case DEPLOYMENTS -> deployments;
            case AUDIT -> audit;
            case RUN_DETAILS -> runDetails;
        };
    }
}
