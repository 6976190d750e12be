// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import io.redliner.analyzer.search.SearchSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The parameters of the search that one may want to change without knowing it well; the others are in
 * {@link SearchSettings}.
 *
 * @param settling time after a change of load that is not counted
 * @param baseline time that the SLA must hold at the natural load
 * @param dwell time that a load is held before it is judged
 * @param confirmation time that the answer must hold
 */
@ConfigurationProperties("redliner.analyzer.search")
public record SearchProperties(@DefaultValue("2s") Duration settling, @DefaultValue("5s") Duration baseline,
        @DefaultValue("6s") Duration dwell, @DefaultValue("15s") Duration confirmation) {

    public SearchProperties {
        if (settling.isNegative() || !baseline.isPositive() || !dwell.isPositive() || !confirmation.isPositive()) {
            throw new IllegalArgumentException("redliner.analyzer.search: baseline, dwell and confirmation must be"
                    + " positive, and settling must not be negative");
        }
    }

    SearchSettings settings() {
        var other = SearchSettings.defaults();
        return new SearchSettings(settling, other.slowestSettling(), baseline, dwell, confirmation,
                other.fewestRequests(), other.fewestConfirming(), other.step(), other.carefulStep(),
                other.feltExceedance(), other.feltUtilisation(), other.slackExceedance(), other.shedFactor(),
                other.longestDrain(), other.bracket(), other.confirmationStep(), other.mostConfirmations(),
                other.mostInconclusive(), other.alarm());
    }
}
