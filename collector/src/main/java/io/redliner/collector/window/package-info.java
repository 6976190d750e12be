// SPDX-License-Identifier: Apache-2.0
/** The heart: requests in, sealed windows out. Plain Java; knows neither Envoy, Kafka nor Spring. */
@NullMarked
package io.redliner.collector.window;

import org.jspecify.annotations.NullMarked;
