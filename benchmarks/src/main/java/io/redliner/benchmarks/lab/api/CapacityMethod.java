// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.api;

import io.redliner.benchmarks.lab.traffic.ServerFleet;

/** A way to look for the capacity of the server under test. Keeps nothing from one fleet to the next. */
@FunctionalInterface
public interface CapacityMethod {

    /** Tests until there is an answer. */
    MethodResult find(ServerFleet fleet);
}
