// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Records of requests, one after the other, in the order in which the proxy reported them. */
@FunctionalInterface
public interface Reports {

    /** Fills in the next one; false when there are no more. */
    boolean next(RequestRecord report);
}
