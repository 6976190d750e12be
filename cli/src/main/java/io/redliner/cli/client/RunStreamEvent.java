// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** An event that the stream of a run delivers. */
public sealed interface RunStreamEvent {

    /** A decision, as the API represents it. */
    record Event(JsonNode event) implements RunStreamEvent {}

    /** The run as it is now, with its harm and conditions. */
    record Snapshot(JsonNode run) implements RunStreamEvent {}

    /** The run is over. */
    record Ended(JsonNode run) implements RunStreamEvent {}

    /**
     * The stream is open, for the first time or again.
     *
     * @param clockAhead how much the controller's clock is ahead of this machine's, to the second
     */
    record Connected(Duration clockAhead) implements RunStreamEvent {}

    /** The stream broke off, and is being opened again. */
    record Lost(String why) implements RunStreamEvent {}

    /** The controller rejects the request: there is no such run (any more), or this caller may not see it. */
    record Refused(IOException why) implements RunStreamEvent {}
}
