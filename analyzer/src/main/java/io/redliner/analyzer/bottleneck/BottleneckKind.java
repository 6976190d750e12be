// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

/** The resource that limited a run. */
public enum BottleneckKind {
    /** The CPU: all of it, the one core of the busiest thread, or the part that the hypervisor leaves. */
    CPU,
    /** The CPU quota of the control group. */
    CPU_QUOTA, MEMORY, GARBAGE_COLLECTION,
    /** Pauses of the process that its own code does not cause: swapping, a stalled disk, a busy host. */
    OPERATING_SYSTEM_PAUSES, LOCK_CONTENTION,
    /** A pool that limits how many requests are served at a time. */
    THREAD_OR_CONNECTION_POOL, NETWORK_BANDWIDTH, DISK,
    /** Clients that read their answers slowly. */
    SLOW_CLIENT,
    /** A network that carries answers slowly. */
    SLOW_NETWORK,
    /** A service that the instance calls. */
    DOWNSTREAM_SERVICE,
    /** Something else that the service waits for, and neither CPU nor bandwidth. */
    OWN_DEPENDENCIES,
    /** No limit was reached. */
    NONE_REACHED,
    /** Too little was measured. */
    UNKNOWN
}
