// SPDX-License-Identifier: Apache-2.0
/** Child processes of the benches, the CPU time and memory that they use, and the records that they publish. */
@NullMarked
package io.redliner.benchmarks.process;

import org.jspecify.annotations.NullMarked;
