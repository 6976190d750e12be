// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.consumer;

import io.redliner.contract.Topic;
import java.time.Duration;

/** A topic, and where its reading begins. Partitions that are added later are read from their beginning. */
public record Source(Topic topic, Begin begin, Duration back) {

    /** The position at which the reading of a topic begins. */
    public enum Begin {
        BEGINNING, END, BEFORE
    }

    /** Reads a topic from its beginning; after a failure from where it was. */
    public static Source fromBeginning(Topic topic) {
        return new Source(topic, Begin.BEGINNING, Duration.ZERO);
    }

    /** Reads the records that come from now on, also after a failure. */
    public static Source fromEnd(Topic topic) {
        return new Source(topic, Begin.END, Duration.ZERO);
    }

    /** Reads the records since some time ago, also after a failure. */
    public static Source since(Topic topic, Duration back) {
        return new Source(topic, Begin.BEFORE, back);
    }
}
