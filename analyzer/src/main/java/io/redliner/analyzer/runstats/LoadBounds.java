// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

/**
 * The SUT of a run, and the loads that it can get.
 *
 * @param sut as host:port
 * @param naturalShare of the service's requests, 0 to 1
 * @param reachableRequestsPerSecond the highest load that the SUT can get
 */
public record LoadBounds(String sut, double naturalShare, double reachableRequestsPerSecond) {}
