// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import org.jspecify.annotations.Nullable;

/** Delivers verdicts and lease statuses to a {@link VerdictListener}, from {@link #start} until {@link #close}. */
public interface VerdictSource extends AutoCloseable {

    /** Starts the delivery, once. */
    void start();

    /** Whether the source still works; false means that only a new process mends it. */
    boolean alive();

    /** Whether new records are delivered now. */
    boolean reading();

    /** The failure that ended the source, if one did. */
    @Nullable
    String broken();

    @Override
    void close();
}
