// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the bytes of all answers under way together. */
final class ResponseByteBudget {

    private final long most;

    private final AtomicLong taken = new AtomicLong();

    ResponseByteBudget(long most) {
        this.most = most;
    }

    /** Takes the bytes, and returns true, if so many are left. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) > most) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }
}
