// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** What a value and a threshold are measured in. */
public enum MetricUnit {
    SECONDS, RATIO, REQUESTS_PER_SECOND, COUNT, BYTES_PER_SECOND,
    /** Custom gauges: the plan's author knows. */
    UNKNOWN
}
