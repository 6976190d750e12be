// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Why a measurement is in no window. */
public enum MeasurementDropReason {

    /** Its value is not a number, or infinite. */
    NOT_FINITE,

    /** The measurement, with its hold, ends before the oldest open window. */
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
