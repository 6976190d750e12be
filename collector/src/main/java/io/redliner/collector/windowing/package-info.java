// SPDX-License-Identifier: Apache-2.0
/**
 * Records of requests and measurements of instances come in. Each is put into the window of its time, or counted by the
 * reason why it is in none; requests in flight are followed from start to end. Closed windows go out, each once. Plain
 * Java; knows neither Envoy, Kafka nor Spring.
 */
@NullMarked
package io.redliner.collector.windowing;

import org.jspecify.annotations.NullMarked;
