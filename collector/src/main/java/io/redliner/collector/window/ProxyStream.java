// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Instant;

/**
 * One live stream of records about one service from one proxy.
 *
 * @param number unique in this collector
 * @param service the service whose requests it reports
 * @param node the proxy's node id; request ids are unique within it
 * @param openedAt when the collector saw it first
 */
public record ProxyStream(long number, String service, String node, Instant openedAt) {}
