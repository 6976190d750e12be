// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import java.util.Optional;

/**
 * The decision of a series about an event.
 *
 * @param command to be carried out after the state is stored; carrying it out twice does no harm
 */
public record SeriesDecision(SeriesState state, Optional<Command> command) {

    /** An action that follows a decision. */
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
