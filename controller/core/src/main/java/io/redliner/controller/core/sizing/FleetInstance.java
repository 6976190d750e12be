// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import org.jspecify.annotations.Nullable;

/**
 * An instance of a fleet.
 *
 * @param naturalShare of the service's traffic, as a ratio
 * @param low lower bound of its capacity, requests/s; absent when unknown
 * @param failureDomain its zone or rack, whose instances fail together; absent when unknown
 */
public record FleetInstance(String address, double naturalShare, @Nullable String hardware,
        @Nullable Double low, @Nullable String failureDomain) {}
