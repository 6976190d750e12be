// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Why a record is in no published window. */
public enum RecordDropReason {

    /** Its window was sealed before it came. */
    LATE,

    /** Its time is further ahead of the collector's clock than the windows reach. */
    FUTURE,

    /** A field that is needed is missing or makes no sense. */
    MALFORMED,

    /** The request never reached an instance, and was on no route of a test: the proxy had none to send it to, or answered by itself. */
    NO_UPSTREAM,

    /** The request took several attempts, and what came of each of them is counted instead. */
    RETRIED,

    /** No redirector lists the proxy. */
    UNKNOWN_PROXY,

    /** No proxy stream that knows the instance was alive when the window was sealed. */
    NO_STREAM,

    /** The collector itself stood still for so long that the window tells nothing any more. */
    STALLED,

    /** The service has as many instances as are allowed. */
    INSTANCES_FULL,

    /** As many requests of the service are in flight as are allowed. */
    IN_FLIGHT_FULL,

    /** There are as many services as are allowed. */
    SERVICES_FULL
}
