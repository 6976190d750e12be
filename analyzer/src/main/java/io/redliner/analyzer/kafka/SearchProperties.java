// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.search.SearchSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The parameters of the search that an operator may change. The others are in {@link SearchSettings}.
 *
 * @param settling time after a change of load that is not counted
 * @param baseline least time of a block at the natural load; two are needed
 * @param dwell least time of one step below the knee
 * @param leastRide least time of the confirm phase
 * @param longestRide longest time of the confirm phase
 * @param watching longest time for which the peers are watched first, to learn their usual speed; 0: they are not
 *            watched
 */
@ConfigurationProperties("redliner.analyzer.search")
public record SearchProperties(@DefaultValue("0s") Duration settling, @DefaultValue("4s") Duration baseline,
        @DefaultValue("6s") Duration dwell, @DefaultValue("70s") Duration leastRide,
        @DefaultValue("104s") Duration longestRide, @DefaultValue("65s") Duration watching) {

    SearchSettings settings() {
        return SearchSettings.defaults().with(settling, baseline, dwell, leastRide, longestRide, watching);
    }
}
