// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Why the collector itself could not measure well. */
public enum DegradationReason {

    /** What arrived had to wait: a thread that reads from the network was busy for too long. */
    LAG,

    /** The whole process stood still. */
    PAUSE,

    /** It had used nearly all of the CPU that it may use. */
    CPU,

    /**
     * A proxy's stream broke, or ended with requests in flight. What it sent last may be lost: Envoy breaks the stream of a
     * collector that hangs, and throws away what did not fit. Whether requests hang is not known any more.
     */
    STREAM_LOST
}
