// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Map;

/**
 * What a {@link PeerWatch} has learnt, for another one that goes on.
 *
 * @param byAddress of each peer that is watched
 * @param looks so far
 * @param lateRate of all of them, late requests per request in the quieter half of the time; NaN while it is not known
 */
public record PeerProfiles(Map<String, PeerProfile> byAddress, int looks, double lateRate) {

    static final PeerProfiles NONE = new PeerProfiles(Map.of(), 0, Double.NaN);

    public PeerProfiles {
        byAddress = SortedMaps.copyOf(byAddress);
    }
}
