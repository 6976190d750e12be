// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Why a record is in no published window. */
public enum RecordDropReason {

    /** The window of the record was closed before the record came. */
    LATE,

    /** The record's time is further ahead of the collector's clock than the windows reach. */
    FUTURE,

    /** A field that is needed is missing or makes no sense. */
    MALFORMED,

    /**
     * The request never reached an instance and was on no route of a test: the proxy had no instance for it, or answered by
     * itself.
     */
    NO_UPSTREAM,

    /** The request took several attempts; each of them is counted instead. */
    RETRIED,

    /** No redirector lists the proxy. */
    UNKNOWN_PROXY,

    /** No proxy stream that knows the instance was alive when the window was closed. */
    NO_STREAM,

    /** The collector stood still for so long that the window is of no use. */
    STALLED,

    /** The service has as many instances as are allowed. */
    INSTANCES_FULL,

    /** The service has as many requests in flight as are allowed. */
    IN_FLIGHT_FULL,

    /** There are as many services as are allowed. */
    SERVICES_FULL
}
