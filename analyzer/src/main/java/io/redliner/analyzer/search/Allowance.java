// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * What a limit allows.
 *
 * @param ratio of the requests that may exceed it, above 0 and below 1
 * @param latency whether exceeding means to be late
 */
public record Allowance(double ratio, boolean latency) {

    static final Allowance ALL = new Allowance(1, false);
}
