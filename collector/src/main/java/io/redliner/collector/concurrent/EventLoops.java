// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.concurrent;

import java.util.List;
import java.util.concurrent.Executor;

/** The threads that read from the network and count what arrives. While one is busy, its arrivals wait. */
public interface EventLoops {

    /** Returns one executor for each thread. */
    List<Executor> loops();
}
