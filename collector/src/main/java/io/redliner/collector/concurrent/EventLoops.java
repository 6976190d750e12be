// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.concurrent;

import java.util.List;
import java.util.concurrent.Executor;

/** The threads that read what arrives from the network and count it; when one is busy, what arrives has to wait. */
public interface EventLoops {

    /** One for each thread. */
    List<Executor> loops();
}
