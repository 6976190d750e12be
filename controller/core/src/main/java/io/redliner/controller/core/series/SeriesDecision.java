// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import java.util.Optional;

/**
 * What a series does about an event.
 *
 * @param command to be done after the state is stored; doing it twice does no harm
 */
public record SeriesDecision(SeriesState state, Optional<Command> command) {

    /** What is to be done. */
    public sealed interface Command {

        /** Start a member's run, or find out that it was started. */
        record Start(SeriesState.Member member) implements Command {}

        /** End a member's run. */
        record Abort(String runId, String reason) implements Command {}
    }

    public static SeriesDecision of(SeriesState state) {
        return new SeriesDecision(state, Optional.empty());
    }

    public static SeriesDecision of(SeriesState state, Command command) {
        return new SeriesDecision(state, Optional.of(command));
    }
}
