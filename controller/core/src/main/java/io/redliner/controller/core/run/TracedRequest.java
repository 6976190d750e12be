// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A request that has a trace.
 *
 * @param traceId 16 or 32 hexadecimal digits
 * @param url where people look at the trace; absent when the settings name no place
 */
public record TracedRequest(String traceId, double latencySeconds, @Nullable URI url) {}
