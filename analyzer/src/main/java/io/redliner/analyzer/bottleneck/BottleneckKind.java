// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

/** What can end a run. */
public enum BottleneckKind {
    /** The CPU, all of it or the one core of the busiest thread, or what the hypervisor leaves of it. */
    CPU,
    /** The CPU quota of the control group. */
    CPU_QUOTA, MEMORY, GARBAGE_COLLECTION,
    /** The process stands still and its own code is not the cause: swapping, a stalled disk, a busy host. */
    OPERATING_SYSTEM_PAUSES, LOCK_CONTENTION,
    /** Only so many requests are worked on at a time. */
    THREAD_OR_CONNECTION_POOL, NETWORK_BANDWIDTH, DISK,
    /** Answers wait until clients read them. */
    SLOW_CLIENT,
    /** Answers are under way for long. */
    SLOW_NETWORK,
    /** A service that the instance calls. */
    DOWNSTREAM_SERVICE,
    /** Neither CPU nor bandwidth: something that the service waits for. */
    OWN_DEPENDENCIES,
    /** No limit was reached. */
    NONE_REACHED,
    /** Too little was measured. */
    UNKNOWN
}
