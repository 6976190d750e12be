// SPDX-License-Identifier: Apache-2.0
/** A simulated server in virtual time: workers, a queue, and disturbances such as pauses and contention. */
@NullMarked
package io.redliner.benchmarks.lab.server;

import org.jspecify.annotations.NullMarked;
