// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.NumberText;
import org.jspecify.annotations.Nullable;

/**
 * A load to be reached, either as a rate or as a share.
 *
 * @param requestsPerSecond absent when a share is wanted
 * @param share of the service's traffic; absent when a rate is wanted
 */
public record LoadGoal(@Nullable Double requestsPerSecond, @Nullable Share share) {

    /** @throws IllegalArgumentException when it is neither, or both */
    public LoadGoal {
        if ((requestsPerSecond == null) == (share == null)) {
            throw new IllegalArgumentException("a goal is either a rate or a share");
        }
    }

    /** Returns a rate in requests/s. */
    public static LoadGoal ofRate(double requestsPerSecond) {
        return new LoadGoal(requestsPerSecond, null);
    }

    /** Returns a share of the service's traffic. */
    public static LoadGoal ofShare(Share share) {
        return new LoadGoal(null, share);
    }

    /** Returns the goal in requests/s at this rate of the service. */
    double at(double serviceRequestsPerSecond) {
        if (requestsPerSecond != null) {
            return requestsPerSecond;
        }
        return share == null ? 0 : share.ratio() * serviceRequestsPerSecond;
    }

    /** Returns the goal for people. */
    @Override
    public String toString() {
        return share == null ? NumberText.round(requestsPerSecond) + " requests/s" : share + " of the traffic";
    }
}
