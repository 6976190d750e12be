// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

/** One way to measure instances. It exists when the settings enable it, and measures until it is closed. */
public interface Source extends AutoCloseable {

    /** Returns the name in the settings and in health, such as {@code host}; in lower case. */
    String name();

    /** Returns the health of the source. */
    SourceHealth condition();

    /** Stops measuring, and waits at most a second for what is under way. */
    @Override
    void close();
}
