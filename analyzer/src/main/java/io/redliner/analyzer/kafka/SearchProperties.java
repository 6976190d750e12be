// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.search.SearchSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the capacity search that an operator may change. {@link SearchSettings} has all parameters.
 *
 * @param settling time after a change of load whose windows the search does not use
 * @param baseline minimum length of each of the two blocks of the baseline, which are at the natural load
 * @param dwell minimum length of one step of the confirm phase
 * @param leastRide minimum length of the confirm phase
 * @param longestRide length of the confirm phase after which the search ends; few requests and a wide interval extend it
 * @param watching maximum time before the baseline in which the search learns the usual speed of the peers; 0 turns the
 *            detection of noise off
 */
@ConfigurationProperties("redliner.analyzer.search")
public record SearchProperties(@DefaultValue("0s") Duration settling, @DefaultValue("4s") Duration baseline,
        @DefaultValue("6s") Duration dwell, @DefaultValue("70s") Duration leastRide,
        @DefaultValue("104s") Duration longestRide, @DefaultValue("65s") Duration watching) {

    SearchSettings settings() {
        return SearchSettings.defaults().with(settling, baseline, dwell, leastRide, longestRide, watching);
    }
}
