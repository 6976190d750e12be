// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes of all answers that are on their way, which are bounded together. */
final class ResponseByteBudget {

    private final long most;

    private final AtomicLong taken = new AtomicLong();

    ResponseByteBudget(long most) {
        this.most = most;
    }

    /** Whether there are so many left; then they are taken. */
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
