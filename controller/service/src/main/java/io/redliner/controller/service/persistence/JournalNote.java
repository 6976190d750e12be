// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunEvent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision without the state that it leads to.
 *
 * @param decidedAt the instant that was given to the decision
 * @param phase of the run after it
 * @param asked the share requested after it
 * @param inForce the share that was in force at the end of the window that it is made about; absent without one
 * @param moved whether the harm of that window is the test's; absent without one, and in what was stored before it was kept
 */
public record JournalNote(long sequence, Instant decidedAt, RunEvent event, String phase, Share asked,
        @Nullable Share inForce, @Nullable Boolean moved, List<RunCommand> commands) {

    public JournalNote {
        commands = List.copyOf(commands);
    }
}
