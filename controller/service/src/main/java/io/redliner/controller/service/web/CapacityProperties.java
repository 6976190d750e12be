// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.sizing.Demand;
import java.math.BigDecimal;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the answers about capacity.
 *
 * @param staleAfter an older capacity or peak is called stale
 * @param peakDays how many days back the peak of a service is searched
 * @param headroom part of each instance's capacity that the fleet view wants free when the request says nothing
 * @param peakInterval how often finished runs are looked through for peaks, and windows of runs are summed up
 */
@ConfigurationProperties("redliner.controller.answers")
record CapacityProperties(@DefaultValue("30d") Duration staleAfter, @DefaultValue("30") int peakDays,
        @DefaultValue("0.3") BigDecimal headroom, @DefaultValue("5s") Duration peakInterval) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException outside of what makes sense
     */
    CapacityProperties {
        Demand.requireHeadroom(headroom);
        if (!staleAfter.isPositive() || !peakInterval.isPositive() || peakDays < 1) {
            throw new IllegalArgumentException("redliner.controller.answers: times are above 0, peak-days at least 1");
        }
    }
}
