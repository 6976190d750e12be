// SPDX-License-Identifier: Apache-2.0
/** A server in virtual time: workers, a queue, and what goes wrong in real ones. */
@NullMarked
package io.redliner.benchmarks.lab.server;

import org.jspecify.annotations.NullMarked;
