// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

/** One way to measure instances. It is there when it is switched on, and measures until it is closed. */
public interface Source extends AutoCloseable {

    /** As in the settings and in health, such as {@code host}; in lower case. */
    String name();

    /** How it is. */
    SourceHealth condition();

    /** Measures no more; waits at most a second for what is under way. */
    @Override
    void close();
}
