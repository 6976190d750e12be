// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * The part of the requests that may exceed a limit.
 *
 * @param ratio of the requests that may exceed it, above 0 and below 1
 * @param latency true for a latency limit
 */
public record AllowedRatio(double ratio, boolean latency) {

    static final AllowedRatio ALL = new AllowedRatio(1, false);
}
