// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Why a measurement is in no window. */
public enum MeasurementDropReason {

    /** Its value is not a number, or infinite. */
    NOT_FINITE,

    /** The time that it is of, and for which it is held, is over in all windows that are open. */
    LATE,

    /** Its time is further ahead of the collector's clock than the windows reach. */
    FUTURE,

    /** The instance has as many gauges as are allowed. */
    GAUGES_FULL,

    /** The service has as many instances as are allowed. */
    INSTANCES_FULL,

    /** There are as many services as are allowed. */
    SERVICES_FULL
}
