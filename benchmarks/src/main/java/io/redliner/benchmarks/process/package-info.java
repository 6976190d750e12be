// SPDX-License-Identifier: Apache-2.0
/** Child processes of the benches, and the CPU time and memory that they use. */
@NullMarked
package io.redliner.benchmarks.process;

import org.jspecify.annotations.NullMarked;
