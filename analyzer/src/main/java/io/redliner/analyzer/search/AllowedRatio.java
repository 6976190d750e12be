// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * What a limit allows.
 *
 * @param ratio of the requests that may exceed it, above 0 and below 1
 * @param latency whether exceeding means to be late
 */
public record AllowedRatio(double ratio, boolean latency) {

    static final AllowedRatio ALL = new AllowedRatio(1, false);
}
