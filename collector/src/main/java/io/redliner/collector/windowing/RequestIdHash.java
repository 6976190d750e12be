// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/**
 * 128 bits instead of a proxy's and a request's id, so that a request in flight is found without making an object. The two
 * halves are hashes with different seeds; of a million requests in flight two are taken for one with a probability of
 * 10^-27.
 */
final class RequestIdHash {

    private static final long HIGH_SEED = 0x9E3779B97F4A7C15L;

    private static final long LOW_SEED = 0xC2B2AE3D27D4EB4FL;

    private RequestIdHash() {}

    static long high(String requestId, long nodeHash) {
        return hash(requestId, HIGH_SEED ^ nodeHash);
    }

    static long low(String requestId, long nodeHash) {
        return hash(requestId, LOW_SEED + nodeHash);
    }

    /** FNV-1a over the characters, mixed by the finalizer of MurmurHash3. */
    static long hash(String text, long seed) {
        long hash = 0xCBF29CE484222325L ^ seed;
        for (int index = 0; index < text.length(); index++) {
            hash = (hash ^ text.charAt(index)) * 0x100000001B3L;
        }
        hash ^= seed >>> 29;
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return hash ^ (hash >>> 33);
    }
}
