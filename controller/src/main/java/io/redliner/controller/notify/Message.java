// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.notify;

import java.time.Instant;

/**
 * A message that this controller has claimed, to make one attempt.
 *
 * @param id stays the same over all attempts
 * @param plan canonical JSON of the run's plan, where the receiver is read from; may have secret addresses in it
 * @param entry of the plan's section {@code notify}, from 0
 * @param attempts with this one
 * @param acceptedAt its age counts from here
 * @param claim this attempt's
 */
record Message(String id, Kind kind, String lane, Notice notice, String plan, int entry, int attempts,
        Instant acceptedAt, String claim) {

    @Override
    public String toString() {
        return "Message[" + id + "]";
    }
}
