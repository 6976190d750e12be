// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

/**
 * Counts connections and bytes by client address, for up to 256 addresses; further addresses are ignored. It allocates nothing
 * after its creation.
 */
final class AddressCounts {

    private static final int MAX_ADDRESSES = 256;

    private final long[] high = new long[MAX_ADDRESSES];

    private final long[] low = new long[MAX_ADDRESSES];

    private final long[] count = new long[MAX_ADDRESSES];

    private final long[] bytes = new long[MAX_ADDRESSES];

    private int size;

    void clear() {
        size = 0;
    }

    /** Counts one connection, and its bytes. */
    void add(long addressHigh, long addressLow, long more) {
        int at = indexOf(addressHigh, addressLow);
        if (at < 0 && size < MAX_ADDRESSES) {
            at = size++;
            high[at] = addressHigh;
            low[at] = addressLow;
            count[at] = 0;
            bytes[at] = 0;
        }
        if (at >= 0) {
            count[at]++;
            bytes[at] += more;
        }
    }

    boolean contains(long addressHigh, long addressLow) {
        return indexOf(addressHigh, addressLow) >= 0;
    }

    /** Returns the number of connections from addresses that the other counts also contain. */
    long countIn(AddressCounts others) {
        long sum = 0;
        for (int at = 0; at < size; at++) {
            sum += others.contains(high[at], low[at]) ? count[at] : 0;
        }
        return sum;
    }

    /** Returns the bytes of connections from addresses that the other counts also contain. */
    long bytesIn(AddressCounts others) {
        long sum = 0;
        for (int at = 0; at < size; at++) {
            sum += others.contains(high[at], low[at]) ? bytes[at] : 0;
        }
        return sum;
    }

    private int indexOf(long addressHigh, long addressLow) {
        for (int at = 0; at < size; at++) {
            if (low[at] == addressLow && high[at] == addressHigh) {
                return at;
            }
        }
        return -1;
    }
}
