// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

/** The unit of a value and its threshold. */
public enum MetricUnit {
    SECONDS, RATIO, REQUESTS_PER_SECOND, COUNT, BYTES_PER_SECOND,
    /** The unit of a custom gauge, which RedLiner does not know. */
    UNKNOWN
}
