// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Map;

/**
 * The state of a {@link PeerWatch}, from which another one can continue.
 *
 * @param byAddress profiles of the watched peers
 * @param looks number of looks so far
 * @param lateRate late requests per request of the deciding peers in the quieter half of the time; NaN while unknown
 */
public record PeerProfiles(Map<String, PeerProfile> byAddress, int looks, double lateRate) {

    static final PeerProfiles NONE = new PeerProfiles(Map.of(), 0, Double.NaN);

    public PeerProfiles {
        byAddress = SortedMaps.copyOf(byAddress);
    }

    /** Returns the part of the looks, 0 to 1, in which each of the worse half of the deciding peers was slow while others were not. */
    double ill() {
        long neighbours = byAddress.values().stream().filter(PeerProfile::neighbour).count();
        int[] counts = byAddress.values().stream()
                .filter(peer -> neighbours < PeerPanel.MIN_PEERS || peer.neighbour()).mapToInt(PeerProfile::slowAlone)
                .sorted().toArray();
        return looks == 0 || counts.length == 0 ? 0 : (double) counts[counts.length / 2] / looks;
    }

    /** Returns the peers that are slow in noise, for messages. */
    String noisyPeers() {
        long known = byAddress.values().stream().filter(PeerProfile::known).count();
        long neighbours = byAddress.values().stream().filter(peer -> peer.known() && peer.neighbour()).count();
        if (known == 1) {
            return "the only peer";
        }
        return neighbours < PeerPanel.MIN_PEERS || neighbours == known ? "all peers" : "all peers on the SUT's host";
    }
}
