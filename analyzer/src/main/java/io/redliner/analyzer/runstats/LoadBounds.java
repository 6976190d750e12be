// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

/**
 * What holds for a run while a window is judged.
 *
 * @param sut as host:port
 * @param naturalShare of the service's requests, 0 to 1
 * @param reachableRequestsPerSecond that the SUT can get at most
 */
public record LoadBounds(String sut, double naturalShare, double reachableRequestsPerSecond) {}
