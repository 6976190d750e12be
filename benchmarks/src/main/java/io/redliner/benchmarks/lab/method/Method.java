// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.method;

import io.redliner.benchmarks.lab.traffic.Fleet;

/** A way to look for the capacity of the server under test. Keeps nothing from one fleet to the next. */
@FunctionalInterface
public interface Method {

    /** Tests until there is an answer. */
    Answer find(Fleet fleet);
}
