// SPDX-License-Identifier: Apache-2.0
/** Tests of the lab. */
@NullMarked
package io.redliner.benchmarks.lab.redliner;

import org.jspecify.annotations.NullMarked;
