// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.analyzer.search.SearchSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The parameters of the search that one may want to change without knowing it well; the others are in
 * {@link SearchSettings}.
 *
 * @param settling time after a change of load that is not counted
 * @param baseline least time of a block at the natural load; two are needed
 * @param dwell least time at one load while riding
 * @param leastRide time ridden before the search may end
 * @param longestRide time ridden after which it ends
 * @param watching at most so long two peers or more are watched before anything else, to know how fast they usually are; 0: they
 *            are not looked at
 */
@ConfigurationProperties("redliner.analyzer.search")
public record SearchProperties(@DefaultValue("0s") Duration settling, @DefaultValue("4s") Duration baseline,
        @DefaultValue("6s") Duration dwell, @DefaultValue("70s") Duration leastRide,
        @DefaultValue("104s") Duration longestRide, @DefaultValue("65s") Duration watching) {

    SearchSettings settings() {
        return SearchSettings.defaults().with(settling, baseline, dwell, leastRide, longestRide, watching);
    }
}
