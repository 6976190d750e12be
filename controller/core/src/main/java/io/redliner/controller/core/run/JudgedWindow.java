// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import org.jspecify.annotations.Nullable;

/**
 * A window with its verdict.
 *
 * @param phase of the run after it
 * @param asked the share requested when the verdict arrived
 * @param moved true when the test caused its harm, see {@link Harm}; absent in the window that ended the run, whose harm counts
 */
public record JudgedWindow(String phase, Share asked, @Nullable Boolean moved, WindowVerdict verdict) {

    /** A window for which it is not known whether the test caused its harm. */
    public JudgedWindow(String phase, Share asked, WindowVerdict verdict) {
        this(phase, asked, null, verdict);
    }

    /** Requests of this window that the test harmed; below zero when the SUT did better than its peers. */
    public double harm() {
        return moved == null || moved ? verdict.harmRequests() : 0;
    }
}
