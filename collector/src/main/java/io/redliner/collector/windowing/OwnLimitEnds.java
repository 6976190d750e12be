// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/**
 * Requests that a limit of RedLiner's own ended in the last minute.
 *
 * @param value milliseconds of a timeout, requests of a circuit breaker
 * @param ended requests that it ended
 * @param requests all that ended in the same time
 */
public record OwnLimitEnds(ProxyLimit limit, long value, long ended, long requests) {}
