// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Reasons why the collector itself could not measure well. */
public enum DegradationReason {

    /** A thread that reads from the network was busy for too long, so records that had arrived waited. */
    LAG,

    /** The whole process stood still. */
    PAUSE,

    /** The collector had used nearly all of the CPU that it may use. */
    CPU,

    /**
     * A proxy's stream broke, or ended with requests in flight, so the last records may be lost: Envoy breaks the stream of a
     * collector that hangs, and drops what did not fit. Overdue requests of that stream can no longer be counted.
     */
    STREAM_LOST
}
